import * as vscode from "vscode";

const EXPLAINED = "kernelAccess.explained";
const GRANTED = "kernelAccess.granted";

/**
 * What is known of the person's leave to talk to kernels. The Jupyter extension asks at the first call ever; that
 * dialog is explained before it appears, and nothing uninvited may cause it.
 */
export class KernelAccess {
  constructor(private readonly memory: vscode.Memento) {}

  /** A call has succeeded before, so that another will not bring up the dialog. */
  get granted(): boolean {
    return this.memory.get(GRANTED, false);
  }

  async setGranted(granted: boolean): Promise<void> {
    if (granted !== this.granted) {
      await this.memory.update(GRANTED, granted);
    }
  }

  /** Explains the coming dialog, once. False: the person does not want it. */
  async explain(): Promise<boolean> {
    if (this.granted || this.memory.get(EXPLAINED, false)) {
      return true;
    }
    const answer = await vscode.window.showInformationMessage(
      "CRANE needs to look into the running kernel",
      {
        modal: true,
        detail:
          "To see what your variables are, CRANE sends a small read-only inspection to the kernel of this notebook. " +
          "It does not run your cell, changes no variable and stays on the kernel's machine.\n\n" +
          "The Jupyter extension will now ask you to grant CRANE access to the kernel. Nothing works without it; you can " +
          "take it back at any time under “Manage Kernel Access”.",
      },
      "Continue",
    );
    if (answer !== "Continue") {
      return false;
    }
    await this.memory.update(EXPLAINED, true);
    return true;
  }
}

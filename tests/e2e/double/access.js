// The consent that the real extension asks for at the first executeCode of another extension.
const vscode = require("vscode");

const KEY = "access";

class Access {
  constructor(memory) {
    this.memory = memory;
    this.answer = undefined; // the promise of this session's answer
    this.prompts = 0; // dialogs shown, for tests
  }

  /** True when `displayName` (`id`) may execute code. Asks once; after Deny or Cancel there is no second question. */
  async allowed(displayName, id) {
    if (!vscode.workspace.isTrusted) {
      return false;
    }
    this.answer ??= this.ask(displayName, id);
    return this.answer;
  }

  async ask(displayName, id) {
    if (this.memory.get(KEY) === true || process.env.E2E_KERNEL_ACCESS === "granted") {
      return true;
    }
    this.prompts += 1;
    const answer = await vscode.window.showInformationMessage(
      `Do you want to grant Kernel access to the extension ${displayName} (${id})?`,
      { modal: true, detail: "This allows the extension to execute code against Jupyter Kernels." },
      "Allow",
      "Learn more",
      "Deny",
    );
    await this.memory.update(KEY, answer === "Allow");
    return answer === "Allow";
  }

  /** The command behind “Manage Access To Jupyter Kernels”: a list in which the extension can be ticked. */
  async manage(displayName) {
    const picked = await vscode.window.showQuickPick([{ label: displayName, picked: (await this.answer) === true }], {
      canPickMany: true,
      placeHolder: "Select the extensions that may access Jupyter kernels",
    });
    if (picked) {
      await this.memory.update(KEY, picked.length > 0);
      this.answer = Promise.resolve(picked.length > 0);
    }
  }
}

/** The error of a call without consent. */
function revoked(id) {
  const error = new Error(`Access to Jupyter Kernels has been revoked for ${id}`);
  error.name = "vscode.jupyter.apiAccessRevoked";
  return error;
}

module.exports = { Access, revoked };

import * as vscode from "vscode";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** Leads to the Jupyter extension's own list of who may use kernels. */
export const manageKernelAccess: Command = {
  id: "crane.manageKernelAccess",
  run: async () => {
    try {
      await vscode.commands.executeCommand("jupyter.manageAccessToKernels");
    } catch {
      throw new Problem(
        "no_jupyter",
        "The Jupyter extension did not answer.",
        "Install it, then use its command “Manage Access to Jupyter Kernels”.",
      );
    }
  },
};

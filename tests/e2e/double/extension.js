// The test double of the Jupyter extension: a notebook controller and the kernels API over real ipykernels.
const path = require("node:path");
const vscode = require("vscode");
const { Access, revoked } = require("./access");
const { findNotebook, serveControl } = require("./control");
const { Kernel } = require("./kernel");
const { provideModels } = require("./models");

const CALLER = "crane-llm.crane-vscode";
/** A Jupyter server elsewhere: its kernels work in another folder, and each message takes its time both ways. */
const SERVER = {
  directory: process.env.E2E_KERNEL_DIRECTORY,
  delay: Number(process.env.E2E_KERNEL_DELAY ?? 0),
};
const callerName = () => vscode.extensions.getExtension(CALLER)?.packageJSON.displayName ?? CALLER;

exports.activate = (context) => {
  const models = provideModels();
  const access = new Access(context.globalState);
  const kernels = new Map(); // notebook URI -> Kernel
  const faces = new WeakMap(); // Kernel -> what other extensions get

  const kernelOf = (notebook) => {
    const key = notebook.uri.toString();
    if (!kernels.has(key)) {
      const beside = notebook.uri.scheme === "file" ? path.dirname(notebook.uri.fsPath) : process.cwd();
      kernels.set(key, new Kernel(SERVER.directory ?? beside, SERVER.delay));
    }
    return kernels.get(key);
  };

  const faceOf = (kernel) => {
    if (!faces.has(kernel)) {
      faces.set(
        kernel,
        Object.freeze({
          language: "python",
          get status() {
            return kernel.status;
          },
          onDidChangeStatus: kernel.changes.event,
          async *executeCode(code, token) {
            if (!(await access.allowed(callerName(), CALLER))) {
              throw revoked(CALLER);
            }
            yield* kernel.executeCode(code, token);
          },
        }),
      );
    }
    return faces.get(kernel);
  };

  const controllers = ["jupyter-notebook", "interactive"].map((type) => {
    const controller = vscode.notebooks.createNotebookController(`double-${type}`, type, "Python 3 (ipykernel)");
    controller.supportedLanguages = ["python", "plaintext"];
    controller.supportsExecutionOrder = true;
    controller.executeHandler = (cells, notebook) => {
      const kernel = kernelOf(notebook);
      for (const cell of cells) {
        kernel.runCell(controller.createNotebookCellExecution(cell), cell);
      }
    };
    controller.interruptHandler = (notebook) => kernelOf(notebook).interrupt();
    return controller;
  });
  const prefer = (notebook) => {
    const controller = controllers.find((candidate) => candidate.notebookType === notebook.notebookType);
    controller?.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
  };
  vscode.workspace.notebookDocuments.forEach(prefer);

  /** As with the real extension, a notebook's own kernel ends when the notebook is closed. */
  const closed = (notebook) => {
    const key = notebook.uri.toString();
    kernels.get(key)?.dispose();
    kernels.delete(key);
  };
  let windows = 0;
  const openInteractive = () => {
    windows += 1;
    const [, controller] = controllers;
    const id = `${context.extension.id}/${controller.id}`;
    const shown = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
    return vscode.commands.executeCommand("interactive.open", shown, undefined, id, `Interactive-${windows}`);
  };

  const activeKernel = () => {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    return notebook && kernels.get(notebook.uri.toString());
  };
  const command = (name, action) => vscode.commands.registerCommand(name, action);

  context.subscriptions.push(
    ...controllers,
    models,
    vscode.workspace.onDidOpenNotebookDocument(prefer),
    vscode.workspace.onDidCloseNotebookDocument(closed),
    command("jupyter.createnewinteractive", openInteractive),
    command("jupyter.restartkernel", (context) => {
      const uri = context?.notebookEditor?.notebookUri;
      return (uri ? kernels.get(uri.toString()) : activeKernel())?.restart();
    }),
    command("jupyter.interruptkernel", () => activeKernel()?.interrupt()),
    command("jupyter.manageAccessToKernels", () => access.manage(callerName())),
    { dispose: () => kernels.forEach((kernel) => kernel.dispose()) },
    serveControl({
      ping: () => "pong",
      calls: ({ notebook }) => kernels.get(findNotebook(notebook).uri.toString())?.calls ?? 0,
      cellRuns: ({ notebook }) => kernels.get(findNotebook(notebook).uri.toString())?.cellRuns ?? 0,
      cellStarts: ({ notebook }) => kernels.get(findNotebook(notebook).uri.toString())?.cellStarts ?? 0,
      dirty: ({ notebook }) => findNotebook(notebook).isDirty,
      kill: ({ notebook }) => kernelOf(findNotebook(notebook)).send({ op: "kill" }),
      editorModelRequests: () => models.requests,
      /** A server's kernel ends, and the server starts it again. */
      crash: ({ notebook }) => kernelOf(findNotebook(notebook)).crash(),
      /** The connection to a server is lost, and comes back: what a kernel said meanwhile arrives then. */
      disconnect: ({ notebook }) => kernelOf(findNotebook(notebook)).disconnect(),
      reconnect: ({ notebook }) => kernelOf(findNotebook(notebook)).reconnect(),
      prompts: () => access.prompts,
      /** Opens a notebook unseen: whoever does so keeps the document when its last tab is closed, for some minutes. */
      hold: async ({ notebook }) => {
        const [folder] = vscode.workspace.workspaceFolders;
        await vscode.workspace.openNotebookDocument(vscode.Uri.joinPath(folder.uri, notebook));
        return true;
      },
      open: () => vscode.workspace.notebookDocuments.map((notebook) => notebook.uri.path.split("/").pop()),
      status: ({ notebook }) => kernels.get(findNotebook(notebook).uri.toString())?.status ?? "none",
      /** `executeCode` as another extension calls it: what came out, and how it ended. `cancelAfter` is in milliseconds. */
      async call({ notebook, code, cancelAfter }) {
        const source = new vscode.CancellationTokenSource();
        if (cancelAfter !== undefined) {
          setTimeout(() => source.cancel(), cancelAfter);
        }
        const seen = [];
        try {
          for await (const output of faceOf(kernelOf(findNotebook(notebook))).executeCode(code, source.token)) {
            seen.push(...output.items.map(({ mime, data }) => ({ mime, text: new TextDecoder().decode(data) })));
          }
          return { seen, error: null };
        } catch (error) {
          return { seen, error: { name: error.name, message: error.message, ename: error.ename ?? null } };
        }
      },
      /** Runs code in the kernel outside history and gives back what it printed. */
      async run({ notebook, code }) {
        const kernel = kernelOf(findNotebook(notebook));
        let text = "";
        for await (const output of kernel.executeCode(code, new vscode.CancellationTokenSource().token)) {
          for (const { mime, data } of output.items) {
            text += mime === "application/vnd.code.notebook.stdout" ? new TextDecoder().decode(data) : "";
          }
        }
        kernel.calls -= 1; // the test's own
        return text;
      },
    }),
  );

  return {
    kernels: {
      getKernel: async (uri) => {
        const kernel = kernels.get(uri.toString());
        return kernel?.started ? faceOf(kernel) : undefined;
      },
    },
  };
};

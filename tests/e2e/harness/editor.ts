// A VS Code of our own: code-server with a fresh profile and a fresh copy of the demo workspace.
import { type ChildProcess } from "node:child_process";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { root, tools } from "./paths.ts";
import { end, freePort, start, until } from "./processes.ts";

export interface EditorOptions {
  /** What the Jupyter double answers when the extension asks for the kernel: a dialog, or yes without one. */
  access?: "ask" | "granted";
  settings?: Record<string, unknown>;
  /** More notebooks: file name → the sources of its code cells. */
  notebooks?: Record<string, string[]>;
  /** More environment for the extension host. */
  environment?: Record<string, string>;
  /** More files of the workspace: path → text. */
  files?: Record<string, string>;
  /** Whether folders are trusted without asking. */
  trusted?: boolean;
  /** Whether a setting of the machine names a Python that has the bridge; otherwise an environment has to be made. */
  bridge?: boolean;
  /** A kernel elsewhere: the files of the folder that it works in, and how long each message takes, in milliseconds. */
  server?: { files: Record<string, string>; delay: number };
}

const SETTINGS = {
  "files.autoSave": "off",
  "notebook.formatOnSave.enabled": false,
  "remote.autoForwardPorts": false,
  "telemetry.telemetryLevel": "off",
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "editor.accessibilitySupport": "off",
  // A folder that is not trusted opens in Restricted Mode, without a question.
  "security.workspace.trust.startupPrompt": "never",
};

/** Variables of this machine that would change what the extension finds. */
const FOREIGN = /^(CRANE_|OPENAI_|VSCODE_|PYTHON|JUPYTER|IPYTHON|XDG_|DISPLAY$)/;

export class Editor {
  readonly folder: string;
  readonly url: string;
  private readonly home: string;
  private readonly process: ChildProcess;

  private constructor(home: string, folder: string, port: number, process: ChildProcess) {
    this.home = home;
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`;
    this.process = process;
  }

  static async start(options: EditorOptions = {}): Promise<Editor> {
    const home = await mkdtemp(path.join(os.tmpdir(), "crane-e2e-"));
    const folder = path.join(home, "work");
    await cp(path.join(root, "examples"), folder, { recursive: true });
    for (const [name, cells] of Object.entries(options.notebooks ?? {})) {
      await writeFile(path.join(folder, name), JSON.stringify(notebook(cells), null, 1));
    }
    await put(folder, options.files ?? {});
    const elsewhere = path.join(home, "elsewhere");
    await put(elsewhere, options.server?.files ?? {});
    const userData = path.join(home, "user-data");
    await mkdir(path.join(userData, "User"), { recursive: true });
    await writeFile(
      path.join(userData, "User", "settings.json"),
      JSON.stringify({ ...SETTINGS, ...options.settings }, null, 2),
    );
    // Which interpreter to use is the machine's affair: such settings are read from its own file.
    await mkdir(path.join(userData, "Machine"), { recursive: true });
    await writeFile(
      path.join(userData, "Machine", "settings.json"),
      JSON.stringify(options.bridge === false ? {} : { "crane.pythonPath": tools.bridgePython }, null, 2),
    );
    const port = await freePort();
    const log = await open(path.join(home, "editor.log"), "w");
    const process_ = start(
      tools.node,
      [
        tools.codeServer,
        ...["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--config", path.join(home, "config.yaml")],
        ...["--user-data-dir", userData, "--extensions-dir", tools.extensions, "--reconnection-grace-time", "5"],
        ...["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
        ...(options.trusted === false ? [] : ["--disable-workspace-trust"]),
      ],
      {
        cwd: home,
        stdio: ["ignore", log.fd, log.fd],
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
          HOME: home,
          E2E_PYTHON: tools.python,
          E2E_CONTROL: path.join(home, "control"),
          E2E_KERNEL_ACCESS: options.access ?? "granted",
          ...(options.server && { E2E_KERNEL_DIRECTORY: elsewhere, E2E_KERNEL_DELAY: String(options.server.delay) }),
          ...options.environment,
        },
      },
    );
    await log.close();
    const editor = new Editor(home, folder, port, process_);
    try {
      await until("code-server answers", 30_000, async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
        return answer.ok || undefined;
      });
    } catch (error) {
      throw new Error(`code-server did not start:\n${await editor.log()}`, { cause: error });
    }
    return editor;
  }

  /** Changes the person's own settings; undefined takes one away. They are read when the window is loaded again. */
  async configure(changes: Record<string, unknown>): Promise<void> {
    const file = path.join(this.home, "user-data", "User", "settings.json");
    const now = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...now, ...changes }, null, 2));
  }

  /** The extension's own log, of every window so far. */
  async extensionLog(): Promise<string> {
    const logs = path.join(this.home, "user-data", "logs");
    const names = (await readdir(logs, { recursive: true })).filter((name) => path.basename(name) === "CRANE.log");
    return (await Promise.all(names.sort().map((name) => readFile(path.join(logs, name), "utf8")))).join("");
  }

  log(): Promise<string> {
    return readFile(path.join(this.home, "editor.log"), "utf8");
  }

  /** Asks the test double: see double/control.js. */
  async control<T>(action: string, params: Record<string, unknown> = {}): Promise<T> {
    const address = await readFile(path.join(this.home, "control"), "utf8");
    const answer = await fetch(address, {
      method: "POST",
      body: JSON.stringify({ action, params }),
      signal: AbortSignal.timeout(60_000),
    });
    const { result, error } = (await answer.json()) as { result: T; error?: string };
    if (error) {
      throw new Error(`control ${action}: ${error}`);
    }
    return result;
  }

  /** Waits until the extension host has activated the double. */
  async ready(): Promise<void> {
    await until("the extension host is up", 120_000, () => this.control<string>("ping"));
  }

  async stop(): Promise<void> {
    await end(this.process);
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function put(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function notebook(cells: string[]): object {
  return {
    cells: cells.map((source, index) => ({
      cell_type: "code",
      id: `cell-${index + 1}`,
      metadata: {},
      execution_count: null,
      outputs: [],
      source,
    })),
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

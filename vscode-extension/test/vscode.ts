/** The little of the editor that the units under test touch. Everything else is left out on purpose. */

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly emitter = new EventEmitter<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.emitter.event,
  };
  cancel(): void {
    if (!this.token.isCancellationRequested) {
      this.token.isCancellationRequested = true;
      this.emitter.fire();
    }
  }
  dispose(): void {
    this.emitter.dispose();
  }
}

export class Memento {
  private readonly values = new Map<string, unknown>();
  get<T>(key: string, fallback: T): T {
    return (this.values.get(key) as T | undefined) ?? fallback;
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

/** What `window` was asked to show, and what the person answers. */
export const shown: string[] = [];
export const answers: (string | undefined)[] = [];

/** The progress notifications that are on the screen, with what a person does to them. */
export const progresses: { title: string; cancel(): void }[] = [];

export const window = {
  withProgress: async <T>(
    options: { title?: string },
    work: (progress: { report(): void }, token: CancellationTokenSource["token"]) => Promise<T>,
  ): Promise<T> => {
    const source = new CancellationTokenSource();
    const shownNow = { title: options.title ?? "", cancel: () => source.cancel() };
    progresses.push(shownNow);
    try {
      return await work({ report: () => undefined }, source.token);
    } finally {
      progresses.splice(progresses.indexOf(shownNow), 1);
    }
  },
  showInformationMessage: (message: string) => {
    shown.push(message);
    return Promise.resolve(answers.shift());
  },
  showWarningMessage: (message: string) => {
    shown.push(message);
    return Promise.resolve(answers.shift());
  },
};

/** Values of `crane.*` that the person set; nothing else is set. */
export const configured = new Map<string, unknown>();

export const workspace = {
  isTrusted: true,
  notebookDocuments: [],
  workspaceFolders: undefined,
  getWorkspaceFolder: () => undefined,
  getConfiguration: (section: string) => ({
    get: (name: string, fallback: unknown) => configured.get(`${section}.${name}`) ?? fallback,
    inspect: (name: string) => ({ globalValue: configured.get(`${section}.${name}`) }),
    update: (name: string, value: unknown) => {
      configured.set(`${section}.${name}`, value);
      return Promise.resolve();
    },
  }),
};

export const NotebookCellKind = { Markup: 1, Code: 2 };

export const ProgressLocation = { Notification: 15 };

/** No language model of the editor is there. */
export const lm = { selectChatModels: () => Promise.resolve([]) };

export class LanguageModelError extends Error {}

export const LanguageModelChatMessage = { User: (content: string) => ({ role: 1, content }) };

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export const Uri = { joinPath: (base: unknown) => base };

export const commands = { executeCommand: () => Promise.resolve() };
export const ConfigurationTarget = { Global: 1 };

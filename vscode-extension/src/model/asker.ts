import * as vscode from "vscode";
import type { Bridge, Look } from "../bridge/bridge";
import type { Keys } from "../bridge/keys";
import { bridgeProblem } from "../bridge/problems";
import type { PredictParams, PredictResult, PreviewResult, Settings } from "../protocol";
import { modelSettings, settings } from "../settings";
import { untilCancelled } from "../util/cancel";
import { Problem } from "../util/problem";
import type { ModelTrace, Outgoing } from "../verdicts";
import { bridgeStage, STAGES } from "../words";
import type { Consent } from "./consent";
import { askEditorModel, chosenEditorModel, editorDestination } from "./editorModels";

export type Question = Omit<PredictParams, "id" | "settings">;

/** How the asker reports back while it works. */
export interface Listener {
  recordId: number;
  stage(words: string): void;
  /** The exact text that is to be sent; `needsConsent` while the person is being asked. */
  outgoing(outgoing: Outgoing): void;
}

export interface Answer {
  verdict: PredictResult["verdict"];
  trace: ModelTrace;
}

/** Asks a model about one cell: prompt, consent, call, verdict. Throws `Problem` or `Cancelled`. */
export class ModelAsker {
  constructor(
    private readonly bridge: Bridge,
    private readonly consent: Consent,
    private readonly keys: Keys,
  ) {}

  /** The exact text that would be sent, and where to. Sends nothing. */
  async preview(
    question: Question,
    id: string,
    folder: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<PreviewResult> {
    return (await this.look(question, id, folder, token)).preview;
  }

  /** Undefined: the person does not want it to be sent. */
  async ask(
    question: Question,
    listener: Listener,
    folder: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<Answer | undefined> {
    const id = String(listener.recordId);
    listener.stage(STAGES.starting);
    const preview = await this.agreed(question, listener, id, folder, token);
    if (!preview) {
      return undefined;
    }
    listener.outgoing({ preview, needsConsent: false, environment: null });
    return settings.provider() === "editor"
      ? this.throughEditor(question, preview, listener, token)
      : this.throughBridge(question, preview, id, listener, folder, token);
  }

  /**
   * The text that the person agreed to send, with the environment made that this needs. One question covers both; there
   * is a second only if the finished environment turns out to send another text, or elsewhere, than was shown.
   */
  private async agreed(
    question: Question,
    listener: Listener,
    id: string,
    folder: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<PreviewResult | undefined> {
    const first = await this.look(question, id, folder, token);
    if (!first.environment && this.consent.has(first.preview.destination)) {
      return first.preview;
    }
    if (!(await this.asked(first, listener, token))) {
      return undefined;
    }
    if (!first.environment) {
      return first.preview;
    }
    listener.stage(STAGES.environment);
    await untilCancelled(this.bridge.prepare(first.environment), token);
    const second = await this.look(question, id, folder, token);
    if (second.environment) {
      throw bridgeProblem.noBridge();
    }
    const same = sameSending(first.preview, second.preview);
    return same || (await this.asked(second, listener, token)) ? second.preview : undefined;
  }

  private asked(look: Look, listener: Listener, token: vscode.CancellationToken): Promise<boolean> {
    listener.outgoing({ ...look, needsConsent: true });
    return this.consent.ask(listener.recordId, look, token);
  }

  private async look(
    question: Question,
    id: string,
    folder: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<Look> {
    const look = await this.bridge.look({ ...question, id, settings: await this.settingsFor(folder) }, token);
    if (settings.provider() !== "editor") {
      return look;
    }
    const model = await chosenEditorModel();
    return { ...look, preview: { ...look.preview, destination: editorDestination(model), model: model.name } };
  }

  /** The settings of a call, with the key that is stored for the host in use. */
  async settingsFor(folder: vscode.Uri | undefined, host?: string): Promise<Settings> {
    const key = host ? await this.keys.get(host) : undefined;
    return {
      ...modelSettings(),
      cwd: vscode.workspace.isTrusted && folder?.scheme === "file" ? folder.fsPath : null,
      stored_key: key ?? null,
      stored_key_host: key ? (host ?? null) : null,
      confirmed_hosts: this.consent.destinations,
    };
  }

  private async throughBridge(
    question: Question,
    preview: PreviewResult,
    id: string,
    listener: Listener,
    folder: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<Answer> {
    const staged = this.bridge.onStage((stage) => {
      if (stage.id === id) {
        listener.stage(bridgeStage(stage.stage, stage.detail));
      }
    });
    try {
      const params = { ...question, id, settings: await this.settingsFor(folder, preview.destination) };
      const told = await this.bridge.request("predict", params, token);
      const { prompt, model, destination, cached } = told;
      const trace = { prompt, rawReply: told.raw_reply, model, destination, leftOut: told.left_out, cached };
      return { verdict: told.verdict, trace };
    } finally {
      staged.dispose();
    }
  }

  private async throughEditor(
    question: Question,
    preview: PreviewResult,
    listener: Listener,
    token: vscode.CancellationToken,
  ): Promise<Answer> {
    const model = await chosenEditorModel();
    const began = Date.now();
    listener.stage(bridgeStage("waiting_for_model", ""));
    const raw = await askEditorModel(model, preview.prompt, token);
    listener.stage(bridgeStage("reading_reply", ""));
    const { verdict } = await this.bridge.request(
      "parseReply",
      { raw, target: question.target, model: model.name },
      token,
    );
    const seconds = (Date.now() - began) / 1000;
    const trace = {
      prompt: preview.prompt,
      rawReply: raw,
      model: model.name,
      destination: preview.destination,
      leftOut: preview.left_out,
      cached: false,
    };
    return { verdict: { ...verdict, model: model.name, seconds }, trace };
  }
}

/** What was agreed to is what is sent: the same text to the same model at the same place. */
function sameSending(one: PreviewResult, other: PreviewResult): boolean {
  return (
    one.destination === other.destination &&
    one.model === other.model &&
    one.prompt.system === other.prompt.system &&
    one.prompt.user === other.prompt.user
  );
}

/** The notebook's workspace folder, from which `.env` files are looked for. */
export function folderOf(notebook: vscode.NotebookDocument): vscode.Uri | undefined {
  return (
    vscode.workspace.getWorkspaceFolder(notebook.uri)?.uri ??
    (notebook.uri.scheme === "file"
      ? vscode.Uri.joinPath(notebook.uri, "..")
      : vscode.workspace.workspaceFolders?.[0]?.uri)
  );
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem(
        "internal",
        `CRANE failed: ${error instanceof Error ? error.message : String(error)}.`,
        "See the log.",
        [
          { label: "Show Log", command: "crane.showLog" },
          { label: "Report Issue", command: "crane.reportIssue" },
        ],
      );
}

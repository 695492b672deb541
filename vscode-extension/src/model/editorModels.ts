import * as vscode from "vscode";
import type { Prompt } from "../protocol";
import { settings } from "../settings";
import { type Cancellation, Cancelled } from "../util/cancel";
import { messageOf, Problem } from "../util/problem";

const PICK = [{ label: "Pick Model", command: "crane.pickModel" }];

/** The editor's own language models, as a provider that needs no key. Used only in answer to a person's action. */
export async function chosenEditorModel(): Promise<vscode.LanguageModelChat> {
  const id = settings.editorModel();
  const models = await vscode.lm.selectChatModels(id ? { id } : {});
  const model = models[0];
  if (!model) {
    throw new Problem(
      "editor_model",
      id ? `The editor offers no language model “${id}”.` : "The editor offers no language model.",
      "Pick another model, or use an endpoint of your own.",
      PICK,
    );
  }
  return model;
}

export function editorDestination(model: vscode.LanguageModelChat): string {
  return `the editor's language model (${model.vendor})`;
}

/** The whole reply as text. */
export async function askEditorModel(
  model: vscode.LanguageModelChat,
  prompt: Prompt,
  token: vscode.CancellationToken,
): Promise<string> {
  const text = `${prompt.system}\n\n${prompt.user}`;
  try {
    const size = await model.countTokens(text, token);
    if (size > model.maxInputTokens) {
      throw new Problem(
        "editor_model",
        `The prompt has ${size} tokens, but ${model.name} takes ${model.maxInputTokens}.`,
        "Lower the setting crane.model.tokenBudget or pick another model.",
        PICK,
      );
    }
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User(text)], {}, token);
    let reply = "";
    for await (const part of response.text) {
      reply += part;
    }
    return reply;
  } catch (error) {
    throw explained(error, model, token);
  }
}

function explained(error: unknown, model: vscode.LanguageModelChat, token: Cancellation): unknown {
  if (token.isCancellationRequested) {
    return new Cancelled();
  }
  if (error instanceof Problem) {
    return error;
  }
  if (!(error instanceof vscode.LanguageModelError)) {
    // What a model's own extension throws arrives as a plain error.
    return new Problem(
      "editor_model",
      `${model.name} failed: ${messageOf(error)}.`,
      "Try again or pick another.",
      PICK,
    );
  }
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return new Problem(
        "editor_model",
        `CRANE may not use ${model.name}.`,
        "Allow it when the editor asks, or pick another model.",
        PICK,
      );
    case vscode.LanguageModelError.NotFound.name:
      return new Problem(
        "editor_model",
        `${model.name} is no longer offered by the editor.`,
        "Pick another model.",
        PICK,
      );
    case vscode.LanguageModelError.Blocked.name:
      return new Problem(
        "editor_model",
        `${model.name} refused the request: its quota is used up or its filter objects.`,
        "Try later or pick another model.",
        PICK,
      );
    default:
      return new Problem("editor_model", `${model.name} failed: ${error.message}.`, "", PICK);
  }
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type * as vscode from "vscode";
import { CancellationTokenSource } from "../../test/vscode";
import { Problem } from "../util/problem";
import { askEditorModel } from "./editorModels";

const PROMPT = { system: "s", user: "u" };

function model(answer: () => AsyncIterable<string>, maxInputTokens = 1000): vscode.LanguageModelChat {
  return {
    name: "Some Model",
    maxInputTokens,
    countTokens: async (text: string) => text.length,
    sendRequest: async () => ({ text: answer() }),
  } as unknown as vscode.LanguageModelChat;
}

async function* parts(...texts: string[]): AsyncIterable<string> {
  yield* texts;
}

const token = () => new CancellationTokenSource().token as vscode.CancellationToken;

describe("the editor's language models", () => {
  test("the parts of a reply are put together", async () => {
    assert.equal(
      await askEditorModel(
        model(() => parts("{", "}")),
        PROMPT,
        token(),
      ),
      "{}",
    );
  });

  test("what the model's own extension throws is told as the model's failure, in the middle of a reply too", async () => {
    const failing = model(async function* () {
      yield "{";
      throw new Error("the line broke");
    });
    await assert.rejects(
      askEditorModel(failing, PROMPT, token()),
      (error) =>
        error instanceof Problem &&
        error.kind === "editor_model" &&
        /Some Model failed: the line broke/.test(error.text),
    );
  });

  test("a prompt that is too long for the model is not sent", async () => {
    const small = model(() => assert.fail("sent"), 2);
    await assert.rejects(askEditorModel(small, PROMPT, token()), /4 tokens, but Some Model takes 2/);
  });

  test("stopping to wait is no failure of the model", async () => {
    const source = new CancellationTokenSource();
    const stopped = model(async function* () {
      source.cancel();
      yield "";
      throw new Error("Canceled");
    });
    await assert.rejects(askEditorModel(stopped, PROMPT, source.token as vscode.CancellationToken), {
      name: "Cancelled",
    });
  });
});

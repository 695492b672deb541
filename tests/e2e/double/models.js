// A language model that the editor offers, from this extension: the editor asks for a person's leave before another may use it.
const vscode = require("vscode");

const VENDOR = "double";
const MODEL = {
  id: "double-model",
  name: "Double Model",
  family: "double",
  version: "1",
  maxInputTokens: 16_000,
  maxOutputTokens: 1_000,
  capabilities: {},
  requiresAuthorization: { label: "the double" },
};

/** Answers every request with E2E_EDITOR_MODEL_REPLY; without that variable no model is offered. `requests`: for tests. */
function provideModels() {
  const reply = process.env.E2E_EDITOR_MODEL_REPLY;
  const requests = [];
  const textOf = (part) => part.value ?? "";
  const provider = {
    provideLanguageModelChatInformation: async () => [MODEL],
    provideTokenCount: async (_model, text) => Math.ceil(String(text.content ?? text).length / 4),
    provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
      requests.push(messages.map((message) => message.content.map(textOf).join("")).join("\n"));
      progress.report(new vscode.LanguageModelTextPart(reply));
    },
  };
  const registration = reply ? vscode.lm.registerLanguageModelChatProvider(VENDOR, provider) : { dispose() {} };
  return { requests, dispose: () => registration.dispose() };
}

module.exports = { provideModels };

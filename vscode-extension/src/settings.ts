import * as vscode from "vscode";
import type { Settings } from "./protocol";

/** Typed reading of the `crane.*` settings. Descriptions, defaults and scopes stand in package.json. */
const section = () => vscode.workspace.getConfiguration("crane");

export const settings = {
  useModel: () => section().get("useModel", true),
  includeRuntime: () => section().get("includeRuntimeInformation", true),
  schemaOnly: () => section().get("schemaOnly", false),
  /** Null where the person set none: the kernel's own limit holds. */
  scanLimit: () => explicit<number>("scanLimit"),
  guard: () => section().get("guard.enabled", false),
  liveChecks: () => section().get("liveChecks.enabled", false),
  liveDelayMs: () => Math.max(200, section().get("liveChecks.delay", 800)),
  openDetails: () => section().get<"crash" | "always" | "never">("details.openAutomatically", "crash"),
  markOrigins: () => section().get("origins.mark", true),
  provider: () => section().get<"endpoint" | "editor">("model.provider", "endpoint"),
  editorModel: () => section().get("model.editorModel", ""),
  kernelTimeoutSeconds: () => Math.max(5, section().get("kernel.timeout", 30)),
  pythonPath: () => section().get("pythonPath", "").trim(),
  baseUrl: () => explicit<string>("model.baseUrl")?.trim() ?? null,

  /** Remembered for the person, in every workspace. */
  set: (name: "useModel" | "includeRuntimeInformation" | "guard.enabled" | "liveChecks.enabled", value: boolean) =>
    section().update(name, value, vscode.ConfigurationTarget.Global),
  setModel: (name: string) => section().update("model.name", name, vscode.ConfigurationTarget.Global),
  setProvider: (provider: "endpoint" | "editor") =>
    section().update("model.provider", provider, vscode.ConfigurationTarget.Global),
  setEditorModel: (id: string) => section().update("model.editorModel", id, vscode.ConfigurationTarget.Global),
};

/** A value only if the person set it: defaults must not win over the environment, which the bridge reads. */
function explicit<T>(name: string): T | null {
  const found = section().inspect<T>(name);
  const value = found?.globalValue ?? null;
  return value === "" ? null : value;
}

/** What the person set about the model, for the bridge; null where it shall look further. */
export function modelSettings(): Settings {
  const style = explicit<"auto" | "responses" | "chat">("model.apiStyle");
  const structured = explicit<"auto" | "on" | "off">("model.structuredOutput");
  return {
    model: explicit<string>("model.name"),
    base_url: settings.baseUrl(),
    api_key: null,
    api_style: style === "auto" ? null : style,
    timeout_s: explicit<number>("model.timeout"),
    max_retries: explicit<number>("model.maxRetries"),
    structured: structured === null || structured === "auto" ? null : structured === "on",
    reasoning_effort: explicit<string>("model.reasoningEffort"),
    token_budget: explicit<number>("model.tokenBudget"),
  };
}

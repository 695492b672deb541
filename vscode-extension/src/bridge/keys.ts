import type * as vscode from "vscode";

const PREFIX = "crane.apiKey.";
const DEFAULT_HOST = "api.openai.com";

/** The host that a base URL names; OpenAI's own where none is set. Undefined for what is no URL. */
export function hostOf(baseUrl: string | null): string | undefined {
  if (!baseUrl) {
    return DEFAULT_HOST;
  }
  try {
    return new URL(baseUrl).host.toLowerCase();
  } catch {
    return undefined;
  }
}

/** API keys in the editor's secret storage, one per endpoint. A key goes only to the host it was stored for. */
export class Keys {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async get(host: string): Promise<string | undefined> {
    return this.secrets.get(PREFIX + host);
  }

  async set(host: string, key: string): Promise<void> {
    await this.secrets.store(PREFIX + host, key);
  }

  async clear(host: string): Promise<void> {
    await this.secrets.delete(PREFIX + host);
  }
}

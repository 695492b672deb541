import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type * as vscode from "vscode";
import { preview } from "../../test/samples";
import { CancellationTokenSource, Memento, progresses } from "../../test/vscode";
import { hostOf, Keys } from "../bridge/keys";
import { Consent } from "./consent";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("consent to send", () => {
  let consent: Consent;
  beforeEach(() => {
    consent = new Consent(new Memento() as unknown as vscode.Memento);
  });
  const never = new CancellationTokenSource().token;

  test("agreement in the panel is remembered for that destination only, and the notification goes", async () => {
    const asked = consent.ask(1, { preview }, never);
    assert.match(progresses[0]?.title ?? "", /details panel whether to send this to api\.example\.org/);
    consent.answer(1, true);
    assert.equal(await asked, true);
    assert.equal(consent.has("api.example.org"), true);
    assert.equal(consent.has("other.example.org"), false);
    await settled();
    assert.equal(progresses.length, 0);
  });

  test("a no is not remembered", async () => {
    const asked = consent.ask(1, { preview }, never);
    consent.answer(1, false);
    assert.equal(await asked, false);
    assert.equal(consent.has("api.example.org"), false);
  });

  test("the notification can say no", async () => {
    const asked = consent.ask(1, { preview }, never);
    progresses[0]?.cancel();
    assert.equal(await asked, false);
  });

  test("who stops waiting has not answered", async () => {
    const source = new CancellationTokenSource();
    const asked = consent.ask(1, { preview }, source.token);
    source.cancel();
    await assert.rejects(asked, { name: "Cancelled" });
    await settled();
    assert.equal(progresses.length, 0);
  });

  test("another check's answer is not this one's", async () => {
    const source = new CancellationTokenSource();
    const asked = consent.ask(1, { preview }, source.token);
    consent.answer(2, true);
    source.cancel();
    await assert.rejects(asked, { name: "Cancelled" });
  });

  test("it can be taken back", async () => {
    const asked = consent.ask(1, { preview }, never);
    consent.answer(1, true);
    await asked;
    await consent.forget();
    assert.equal(consent.has("api.example.org"), false);
  });
});

describe("keys", () => {
  test("belong to a host, port included", () => {
    assert.equal(hostOf(null), "api.openai.com");
    assert.equal(hostOf("https://OpenRouter.ai/api/v1"), "openrouter.ai");
    assert.equal(hostOf("http://localhost:11434/v1"), "localhost:11434");
    assert.equal(hostOf("nonsense"), undefined);
  });

  test("one host never gets another's key", async () => {
    const kept = new Map<string, string>();
    const keys = new Keys({
      get: async (name: string) => kept.get(name),
      store: async (name: string, value: string) => void kept.set(name, value),
      delete: async (name: string) => void kept.delete(name),
    } as unknown as vscode.SecretStorage);
    await keys.set("a.example", "sk-1");
    assert.equal(await keys.get("a.example"), "sk-1");
    assert.equal(await keys.get("b.example"), undefined);
    await keys.clear("a.example");
    assert.equal(await keys.get("a.example"), undefined);
  });
});

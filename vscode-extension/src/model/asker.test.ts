import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type * as vscode from "vscode";
import { crash, preview } from "../../test/samples";
import { CancellationTokenSource, configured, Memento, progresses } from "../../test/vscode";
import type { Bridge, Look } from "../bridge/bridge";
import type { EnvironmentPlan } from "../bridge/environment";
import type { Keys } from "../bridge/keys";
import type { Outgoing } from "../verdicts";
import { ModelAsker, type Question } from "./asker";
import { Consent } from "./consent";

const environment: EnvironmentPlan = { command: "python3", python: "3.11.7", folder: "/storage/bridge" };
const question = { target: { id: null, source: "x" } } as unknown as Question;

describe("asking a model for the first time", () => {
  let looks: Look[];
  let done: string[];
  let seen: Outgoing[];
  let answers: boolean[];
  let prepared: () => Promise<void>;
  let asker: ModelAsker;
  let consent: Consent;
  let token: vscode.CancellationToken;

  beforeEach(() => {
    configured.clear();
    done = [];
    seen = [];
    answers = [];
    token = new CancellationTokenSource().token as unknown as vscode.CancellationToken;
    prepared = async () => undefined;
    consent = new Consent(new Memento() as unknown as vscode.Memento);
    const bridge = {
      look: async () => looks.shift(),
      prepare: async (plan: EnvironmentPlan) => {
        done.push(`make ${plan.folder}`);
        await prepared();
      },
      request: async (method: string) => {
        done.push(method);
        const verdict = crash({ source: "model" });
        return { verdict, prompt: preview.prompt, raw_reply: "r", model: "m", destination: "h", left_out: [] };
      },
      onStage: () => ({ dispose: () => undefined }),
    } as unknown as Bridge;
    asker = new ModelAsker(bridge, consent, { get: async () => undefined } as unknown as Keys);
  });

  const ask = () =>
    asker.ask(
      question,
      {
        recordId: 1,
        stage: () => undefined,
        outgoing: (outgoing) => {
          seen.push(outgoing);
          if (outgoing.needsConsent) {
            assert.deepEqual(done.includes("predict"), false, "nothing is sent before the answer");
            setTimeout(() => consent.answer(1, answers.shift() ?? false), 1);
          }
        },
      },
      undefined,
      token,
    );

  test("one question covers the text and the environment; then it is made, then the text is sent", async () => {
    looks = [
      { preview, environment },
      { preview, environment: null },
    ];
    answers = [true];
    assert.equal((await ask())?.verdict.outcome, "crash");
    assert.deepEqual(done, ["make /storage/bridge", "predict"]);
    assert.deepEqual(
      seen.map((outgoing) => [outgoing.needsConsent, outgoing.environment]),
      [
        [true, environment],
        [false, null],
      ],
    );
    assert.equal(progresses.length, 0);
  });

  test("a no makes nothing and sends nothing", async () => {
    looks = [{ preview, environment }];
    answers = [false];
    assert.equal(await ask(), undefined);
    assert.deepEqual(done, []);
  });

  test("where the finished environment would send it elsewhere, it is asked again", async () => {
    looks = [
      { preview, environment },
      { preview: { ...preview, destination: "other.example.org" }, environment: null },
    ];
    answers = [true, false];
    assert.equal(await ask(), undefined);
    assert.deepEqual(done, ["make /storage/bridge"]);
    assert.equal(seen.at(-1)?.preview.destination, "other.example.org");
  });

  test("a destination that was agreed to before still asks about an environment that is missing", async () => {
    looks = [{ preview, environment: null }];
    answers = [true];
    await ask();
    done = [];
    looks = [{ preview, environment }];
    answers = [false];
    assert.equal(await ask(), undefined);
    looks = [{ preview, environment: null }];
    assert.ok(await ask(), "and without one it does not ask at all");
  });

  test("an environment that could not be made: the trouble is the answer, nothing is sent", async () => {
    looks = [{ preview, environment }];
    answers = [true];
    prepared = async () => {
      throw new Error("no network");
    };
    await assert.rejects(ask(), /no network/);
    assert.deepEqual(done, ["make /storage/bridge"]);
  });

  test("an environment that is made and still not found is said, not tried for ever", async () => {
    looks = [
      { preview, environment },
      { preview, environment },
    ];
    answers = [true];
    await assert.rejects(ask(), { kind: "no_bridge" });
  });
});

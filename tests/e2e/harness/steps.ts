// One step of a story: a test that leaves a picture of the window when it fails.
import { test, type TestContext } from "node:test";
import type { Workbench } from "./workbench.ts";

export type Step = (name: string, body: (context: TestContext) => Promise<void>) => void;

/** `window` gives the story's window once there is one. */
export function stepsIn(window: () => Workbench | undefined): Step {
  return (name, body) => {
    test(name, async (context) => {
      try {
        await body(context);
      } catch (error) {
        await window()
          ?.screenshot(`failed-${name.replace(/\W+/g, "-").slice(0, 60)}`)
          .catch(() => undefined);
        throw error;
      }
    });
  };
}

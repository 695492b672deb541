// Asking a model: the stages, what may be left out, what is kept, and the switch that leaves runtime information out.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { CannedModel, MODEL } from "./harness/cannedModel.ts";
import type { Cell, Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

const CELLS = [
  "rows = [3, 1, 2]",
  // More than the budget holds, in cells that have nothing to do with the others.
  ...[1, 2, 3].map((part) => `unrelated_${part} = [${Array.from({ length: 1500 }, (_, item) => item * 31).join(", ")}]`),
  "int(input())",
  "len(rows) + len(input())",
  "str(input())",
  "rows[7]",
];

describe("asking a model", { timeout: 600_000 }, () => {
  let model: CannedModel;
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const cell = (words: string): Cell => notebook.cell(words);
  const button = (name: string) => workbench.panel.frame.getByRole("button", { name, exact: true });
  const runAll = async () => {
    await notebook.run("rows = [");
    for (const part of [1, 2, 3]) {
      await notebook.run(`unrelated_${part} =`);
    }
  };
  /** Every text that the first item of a cell's status bar shows until it shows this one. */
  const stagesUntil = async (words: string, last: string): Promise<string[]> => {
    const seen: string[] = [];
    await until(last, 30_000, async () => {
      const text = (await cell(words).statusText()).split(" | ")[0] ?? "";
      if (text !== seen.at(-1)) {
        seen.push(text);
      }
      return text.includes(last) || undefined;
    });
    return seen;
  };

  before(async () => {
    model = await CannedModel.start();
    workbench = await Workbench.open({
      settings: {
        ...model.settings,
        "crane.model.tokenBudget": 2500,
        "crane.details.openAutomatically": "always",
      },
      notebooks: { "asking.ipynb": CELLS },
      viewport: { ...ORDINARY, height: 2300 },
    });
    notebook = await workbench.openNotebook("asking.ipynb");
    await runAll();
  });
  after(async () => {
    await workbench?.close();
    await model?.stop();
  });

  step("what does not fit the budget is left out, and that is said before anything is sent", async () => {
    model.predict(true, "input() may give text that is no number.", { exception: "ValueError", line: 1 });
    await cell("int(input())").check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.panel.shows(`Send this to ${model.host}?`);
    await workbench.panel.shows(/Left out to fit: .*(earlier cells|middle of long cells)/);
    await workbench.screenshot("left-out");
    const told = await workbench.panel.body.innerText();
    const tokens = Number(/about (\d+) tokens/.exec(told)?.[1]);
    assert.ok(tokens > 500 && tokens <= 2500, `${tokens} tokens`);
  });

  step("each stage is said while it lasts: waiting for the model, then reading its reply piece by piece", async () => {
    model.delay = 1200;
    model.pace = 400;
    await button("Send").click();
    const seen = await stagesUntil("int(input())", "Crash predicted: ValueError");
    model.delay = model.pace = 0;
    const at = (words: string) => seen.findIndex((text) => text.includes(words));
    assert.ok(at("Waiting for the model…") >= 0 && at("Waiting for the model…") < at("Reading the reply…"), seen.join(" > "));
    await workbench.panel.shows("What was asked");
    await workbench.panel.shows(`Sent to ${model.host}, model ${MODEL}.`);
    await cell("int(input())").status("Crash predicted").locator(".codicon-warning").first().waitFor();
    assert.match((await cell("int(input())").spoken("Crash predicted")) ?? "", /^CRANE: Crash predicted: ValueError\. .*Model prediction · /);
  });

  step("Stop waiting: the answer is dropped, what was said before stands again, and the kernel is left alone", async () => {
    model.delay = 20_000;
    model.predict(false, "This comes too late.");
    await cell("str(input())").check();
    await cell("str(input())").waitForStatus("Waiting for the model…");
    await button("Stop waiting").click();
    await cell("str(input())").waitForStatus(/^\s*Check\s*$/, 10_000);
    assert.equal(await notebook.status(), "idle");
    model.delay = 0;
  });

  step("the very same question is answered from memory: said, and nothing is sent; asked again, it is sent", async () => {
    model.predict(true, "input() may give text that is no number.", { exception: "ValueError", line: 1 });
    const target = cell("int(input())");
    await target.append(" ");
    await target.waitForStatus("Stale: Crash predicted: ValueError");
    await workbench.page.keyboard.press("Backspace");
    const before = model.received.length;
    await target.checkUntil("Crash predicted: ValueError");
    await workbench.panel.shows(/earlier in this session: the answer was kept, and nothing was sent now\./);
    assert.equal(model.received.length, before);
    await workbench.screenshot("answer-kept");
    await target.status("Check again").click();
    await until("it is sent", 10_000, async () => model.received.length > before || undefined);
    await target.waitForStatus("Crash predicted: ValueError");
    await workbench.panel.shows(`Sent to ${model.host}, model ${MODEL}.`);
  });

  step("without runtime information: the model sees code alone, the checks are skipped, and the verdict says so", async () => {
    await workbench.panel.frame.getByRole("switch", { name: "Include runtime information" }).uncheck();
    await workbench.panel.shows("Off: code alone, without the checks");
    model.predict(false, "A list has elements.");
    const before = model.received.length;
    // What is certain with the kernel's values is not looked for without them.
    await cell("rows[7]").check();
    await cell("rows[7]").waitForStatus("No crash predicted");
    await workbench.panel.shows(`Model prediction · ${MODEL} · built-in checks skipped`);
    assert.equal(await workbench.panel.frame.locator("section.variables").count(), 0);
    const sent = model.received.slice(before).join();
    assert.match(sent, /rows\[7\]/);
    assert.doesNotMatch(sent, /length 3/);
    await workbench.screenshot("code-alone");
  });

  step("the switch is remembered in a new window, and back on the crash is certain again", async () => {
    await workbench.reload();
    await cell("rows[7]").waitForStatus("Check"); // the notebook is open again
    await runAll();
    await cell("rows[7]").checkUntil("No crash predicted");
    const input = workbench.panel.frame.getByRole("switch", { name: "Include runtime information" });
    assert.equal(await input.isChecked(), false);
    await input.check();
    await workbench.panel.shows("The model sees what the variables are");
    await cell("rows[7]").checkUntil("Will crash: IndexError (certain)");
  });
});

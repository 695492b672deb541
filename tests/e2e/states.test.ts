// Every state of the panel, with replies that are chosen: the words, pictures to look at, and nothing that axe finds.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { AXE, accessible } from "./harness/accessibility.ts";
import { CannedModel, MODEL } from "./harness/cannedModel.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

describe("states of the panel", { timeout: 600_000 }, () => {
  let model: CannedModel;
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  const looksWell = async (name: string) => {
    await workbench.panel.body.hover({ position: { x: 4, y: 4 }, force: true });
    await workbench.screenshot(`state-${name}`);
    await accessible(workbench, name);
  };

  before(async () => {
    model = await CannedModel.start();
    workbench = await Workbench.open({
      settings: {
        ...model.settings,
        "crane.details.openAutomatically": "always",
      },
      notebooks: { "states.ipynb": ["rows = [3, 1, 2]", "int(input())", "len(input())", "str(input())", "rows[7]"] },
      viewport: ORDINARY,
      everyFrame: AXE,
    });
    notebook = await workbench.openNotebook("states.ipynb");
    await workbench.command("View: Close Primary Side Bar");
    await notebook.run("rows = [");
  });
  after(async () => {
    await workbench?.close();
    await model?.stop();
  });

  step("a predicted crash: a model's, said to be fallible, a warning and not an error", async () => {
    model.predict(true, "input() may give text that is no number.", { exception: "ValueError", line: 1, variables: ["rows"] });
    const cell = notebook.cell("int(input())");
    await cell.check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.panel.shows(`Send this to ${model.host}?`);
    await looksWell("consent");
    await workbench.panel.frame.getByRole("button", { name: "Send", exact: true }).click();
    await cell.waitForStatus("Crash predicted: ValueError");
    await cell.squiggles("warning").first().waitFor();
    assert.equal(await cell.squiggles("error").count(), 0);
    await workbench.panel.shows("A model expects this cell to crash. It may be wrong.");
    await workbench.panel.shows(`Model prediction · ${MODEL} · after the built-in checks`);
    await workbench.panel.shows("1210 in, 84 out");
    const [mark, head] = await workbench.panel.body.evaluate(() => [
      getComputedStyle(document.querySelector("mark") as Element).textDecorationColor,
      getComputedStyle(document.querySelector("header") as Element).borderLeftColor,
    ]);
    assert.equal(mark, head, "the code is marked in the colour of the verdict");
    await looksWell("predicted");
  });

  step("no crash predicted", async () => {
    model.predict(false, "input() gives text, and text has a length.");
    await notebook.cell("len(input())").checkUntil("No crash predicted");
    await workbench.panel.shows("A model expects this cell to run. It may be wrong.");
    await looksWell("no-crash");
  });

  step("a reply that is no verdict is said to be none, and shown", async () => {
    model.reply = "I would rather talk about the weather.";
    await notebook.cell("str(input())").checkUntil("Model reply not readable");
    await workbench.panel.shows("The model answered, but not with a verdict. Its reply is shown below.");
    await workbench.panel.shows(/rather talk about the weather/);
    await looksWell("unreadable");
  });

  step("a certain crash, a preview on demand, and nothing certain with the model off", async () => {
    await notebook.cell("rows[7]").checkUntil("Will crash: IndexError (certain)");
    await workbench.panel.shows("Built-in check · certain");
    await looksWell("certain");
    const sent = model.received.length;
    await notebook.cell("len(input())").select();
    await workbench.command("CRANE: Preview What Would Be Sent");
    await workbench.panel.shows(`What is sent to ${model.host}`);
    await workbench.panel.shows(/len\(input\(\)\)/);
    assert.equal(model.received.length, sent);
    await looksWell("preview");
    await workbench.panel.frame.getByRole("switch", { name: "Use the model" }).uncheck();
    await workbench.panel.shows("Off: nothing is sent anywhere");
    await notebook.cell("len(input())").checkUntil("Nothing certain found");
    await looksWell("nothing-certain");
  });

  step("stale, in a light theme of high contrast: it says why and claims nothing any more", async () => {
    await workbench.setTheme("Light High Contrast");
    await notebook.cell("rows[7]").append(" ");
    await notebook.cell("rows[7]").status("Stale: Will crash: IndexError").first().click();
    await workbench.panel.shows("This is what a check said before the cell was edited.");
    await workbench.page.waitForTimeout(800); // the colours of the web view follow
    await looksWell("stale");
  });
});

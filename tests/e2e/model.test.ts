// A model's prediction from a real server on this machine, from the preview to the verdict, and what happens when it is gone.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { DEMO, preparedDemo } from "./harness/flows.ts";
import { type ModelServer, startModelServer } from "./harness/modelServer.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, TALL, Workbench } from "./harness/workbench.ts";

/** A prediction takes the small model some 20 s on an idle machine, minutes on a busy one. */
const PREDICTION = 400_000;
const ANY_PREDICTION = /Crash predicted|No crash predicted|Model reply not readable/;

describe("model prediction", { timeout: 1_200_000 }, () => {
  let server: ModelServer;
  let workbench: Workbench;
  const step = stepsIn(() => workbench);
  let notebook: Notebook;
  let host: string;

  before(async () => {
    server = await startModelServer();
    host = new URL(server.baseUrl).host;
    workbench = await Workbench.open({
      settings: { "crane.model.baseUrl": server.baseUrl, "crane.model.name": server.model, "crane.model.timeout": 380 },
    });
    notebook = await preparedDemo(workbench);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
  });

  step("nothing is sent before the exact text was shown and agreed to", async () => {
    const cell = notebook.cell(DEMO.evaluate);
    await cell.check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await cell.waitForStatus("Waiting for your consent to send…");
    await workbench.panel.shows(`Send this to`);
    await workbench.panel.shows(/mean_absolute_error\(test\["rentals"\], predicted\)/);
    await workbench.screenshot("consent");
  });

  step("agreed: the verdict says that it is a model's, whose, and what was asked", async () => {
    const cell = notebook.cell(DEMO.evaluate);
    await workbench.panel.frame.getByRole("button", { name: "Send", exact: true }).click();
    await cell.waitForStatus("Waiting for the model…", 60_000);
    await cell.waitForStatus(ANY_PREDICTION, PREDICTION);
    await cell.hasNoStatus("(certain)");
    await workbench.panel.shows(`Model prediction · ${server.model}`);
    await workbench.panel.shows("after the built-in checks");
    await workbench.panel.shows("What was asked");
    await workbench.page.setViewportSize(ORDINARY);
    await workbench.command("View: Close Primary Side Bar");
    await cell.reveal();
    await workbench.panel.body.hover({ position: { x: 4, y: 4 }, force: true });
    await workbench.page.waitForTimeout(1000);
    await workbench.screenshot("picture-model-prediction");
    await workbench.page.setViewportSize(TALL);
  });

  step("a certain crash never reaches the model", async () => {
    const cell = notebook.cell(DEMO.rank);
    await cell.checkUntil("Will crash: AttributeError (certain)");
    await workbench.panel.shows("Built-in check · certain");
  });

  step("the server is gone: the checks' verdict stands, the trouble is named", async () => {
    await server.stop();
    const cell = notebook.cell(DEMO.chart);
    await cell.check();
    await cell.waitForStatus("Nothing certain found", 60_000);
    await cell.waitForStatus("Model not asked");
    await workbench.panel.shows(new RegExp(`${host.replaceAll(".", "\\.")}|could not be reached|refused`, "i"));
    await workbench.screenshot("model-down");
  });

  step("with the model switched off nothing is sent and nothing is missed", async () => {
    const input = workbench.panel.frame.getByRole("switch", { name: "Use the model" });
    await input.uncheck();
    await workbench.panel.shows("Off: nothing is sent anywhere");
    const cell = notebook.cell(DEMO.chart);
    await cell.status("Check again").click();
    await cell.waitForStatus("Nothing certain found");
    await cell.hasNoStatus("Model not asked");
    assert.ok(await input.isVisible());
  });
});

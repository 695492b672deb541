// The first use of a model where no Python has the bridge: one question about the exact text and the environment, then
// progress, the request, and what else may come: declined, cancelled, failed, removed.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { CannedModel, MODEL } from "./harness/cannedModel.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

/** pip downloads some 30 packages and installs them. */
const INSTALL = 180_000;
const NOWHERE = "http://127.0.0.1:9/simple";

describe("the model bridge's environment", { timeout: 900_000 }, () => {
  let model: CannedModel;
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const notebooks = { "first.ipynb": ["import math", "math.sqrt(len(input()))"] };
  const cell = () => notebook.cell("math.sqrt(");

  before(async () => {
    model = await CannedModel.start();
    model.predict(false, "len() is never negative.");
    workbench = await Workbench.open({ bridge: false, settings: model.settings, notebooks, viewport: ORDINARY });
    notebook = await workbench.openNotebook("first.ipynb");
    await notebook.run("import math");
  });
  after(async () => {
    await workbench?.close();
    await model?.stop();
  });

  step("one question: the exact text, where it goes, and the environment that is made for it", async () => {
    await cell().check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await cell().waitForStatus("Waiting for your consent to send…");
    await workbench.panel.shows(`Send this to ${model.host}?`);
    await workbench.panel.shows(/made with Python 3\.\d+\.\d+ in .*bridge-0\.1\.0/);
    await workbench.panel.shows(/about 60 MB; pip downloads the packages/);
    await workbench.panel.shows(/math\.sqrt\(len\(input\(\)\)\)/);
    assert.equal(await workbench.page.locator(".monaco-dialog-box").count(), 0, "there is no second dialog");
    await workbench.notification(/asks in the details panel whether to send this to/).waitFor();
    await workbench.screenshot("one-consent");
  });

  step("Don't send: nothing is made, nothing is sent, the checks' verdict stands", async () => {
    await workbench.panel.frame.getByRole("button", { name: "Don't send" }).click();
    await cell().waitForStatus("Nothing certain found");
    await cell().waitForStatus("Model not asked");
    await workbench.panel.shows(/you chose not to send/);
    await workbench.notification(/asks in the details panel/).waitFor({ state: "detached" });
    assert.deepEqual(model.received, []);
  });

  step("agreed and then cancelled while it is made: said, and nothing is sent", async () => {
    await cell().status("Check again").click();
    await workbench.panel.frame.getByRole("button", { name: "Create Environment and Send" }).click();
    await cell().waitForStatus("Setting up the model bridge…");
    const progress = workbench.notification("CRANE: setting up the model bridge");
    await progress.waitFor();
    await progress.hover();
    await progress.locator(".monaco-button", { hasText: "Cancel" }).click();
    await cell().waitForStatus("Model not asked");
    await workbench.panel.shows(/no Python with crane-bridge\[model\] is set up/);
    assert.deepEqual(model.received, []);
    await workbench.dismissNotifications();
  });

  step("agreed: progress, then the request without another question, then the prediction", async () => {
    await cell().status("Check again").click();
    await workbench.panel.frame.getByRole("button", { name: "Create Environment and Send" }).click();
    const progress = workbench.notification("CRANE: setting up the model bridge");
    await progress.filter({ hasText: /Installing the model bridge and its packages/ }).waitFor();
    await workbench.screenshot("environment-progress");
    await cell().waitForStatus("No crash predicted", INSTALL);
    await workbench.panel.shows(`Model prediction · ${MODEL} · after the built-in checks`);
    assert.equal(model.received.length, 1);
    assert.match(model.received[0] ?? "", /math\.sqrt\(len\(input\(\)\)\)/);
  });

  step("the next cell asks nothing more", async () => {
    await notebook.cell("import math").checkUntil("No crash predicted");
    assert.equal(model.received.length, 2);
  });

  step("removed: the next check asks again, about the environment too", async () => {
    await workbench.command("CRANE: Remove the Model Bridge's Environment");
    await workbench.notification("CRANE's Python environment was removed.").waitFor();
    await workbench.dismissNotifications();
    await cell().status("Check again").click();
    await workbench.panel.frame.getByRole("button", { name: "Create Environment and Send" }).waitFor();
    await workbench.panel.frame.getByRole("button", { name: "Don't send" }).click();
    await cell().waitForStatus("Model not asked");
  });
});

describe("an environment that cannot be made", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);

  after(() => workbench?.close());

  step("the package index is out of reach: the failed step and pip's own words, with a way out; the checks stand", async () => {
    workbench = await Workbench.open({
      bridge: false,
      settings: { "crane.model.baseUrl": "http://127.0.0.1:9/v1" },
      notebooks: { "first.ipynb": ["import math", "math.sqrt(len(input()))"] },
      viewport: ORDINARY,
      environment: { PIP_CONFIG_FILE: "/dev/null", PIP_NO_INDEX: "0", PIP_INDEX_URL: NOWHERE, PIP_RETRIES: "0", PIP_FIND_LINKS: "" },
    });
    const notebook = await workbench.openNotebook("first.ipynb");
    await notebook.run("import math");
    const cell = notebook.cell("math.sqrt(");
    await cell.check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.panel.frame.getByRole("button", { name: "Create Environment and Send" }).click();
    await cell.waitForStatus("Model not asked", 120_000);
    await cell.waitForStatus("Nothing certain found");
    await workbench.panel.shows(/could not be made: Installing the packages failed/);
    await workbench.panel.shows(/ERROR: /);
    await workbench.screenshot("environment-failed");
    await workbench.dismissNotifications();
    await workbench.panel.frame.getByRole("button", { name: "Try Again" }).click();
    await workbench.notification("could not be made: Installing the packages failed").waitFor({ timeout: 120_000 });
  });
});

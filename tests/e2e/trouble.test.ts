// What a model that is asked may do instead of answering: said plainly, and accessible in every theme.
import { after, before, describe } from "node:test";
import { AXE, accessibleInEveryTheme } from "./harness/accessibility.ts";
import { CannedModel } from "./harness/cannedModel.ts";
import type { Cell, Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

describe("trouble with a model", { timeout: 600_000 }, () => {
  let model: CannedModel;
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const cell = (words: string): Cell => notebook.cell(words);
  const button = (name: string) => workbench.panel.frame.getByRole("button", { name, exact: true });

  before(async () => {
    model = await CannedModel.start();
    workbench = await Workbench.open({
      settings: {
        ...model.settings,
        "crane.model.maxRetries": 0,
        "crane.details.openAutomatically": "always",
      },
      notebooks: { "trouble.ipynb": ["rows = [3, 1, 2]", "int(input())", "len(rows) + len(input())", "str(input())"] },
      viewport: ORDINARY,
      everyFrame: AXE,
    });
    notebook = await workbench.openNotebook("trouble.ipynb");
    await notebook.run("rows = [");
  });
  after(async () => {
    await workbench?.close();
    await model?.stop();
  });

  step("a reply that is no verdict, and a model that declines: said, in every theme", async () => {
    model.reply = "I would rather talk about the weather.";
    await cell("str(input())").check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await button("Send").click();
    await cell("str(input())").waitForStatus("Model reply not readable");
    await accessibleInEveryTheme(workbench, "trouble-unreadable");
    model.refusal = "I cannot help with that.";
    await cell("len(rows)").checkUntil("Model reply not readable");
    await workbench.panel.shows("The model declined to answer: I cannot help with that.");
    await accessibleInEveryTheme(workbench, "trouble-declined");
    model.refusal = null;
  });

  step("a key that is refused: the checks' verdict stands, the trouble is named, with ways out, in every theme", async () => {
    model.fault = { status: 401, body: '{"error": {"message": "bad key", "code": "invalid_api_key"}}' };
    await cell("len(rows)").checkUntil("No answer from the model");
    await cell("len(rows)").waitForStatus("Nothing certain found");
    await workbench.panel.shows(`${model.host} refused the API key.`);
    await button("Set API Key").waitFor();
    await workbench.dismissNotifications();
    await accessibleInEveryTheme(workbench, "trouble-refused-key");
    model.fault = null;
  });

  step("an endpoint that is gone: named as such, in every theme", async () => {
    const { host } = model;
    await model.stop();
    await cell("len(rows)").checkUntil("Model not asked");
    await workbench.panel.shows(new RegExp(`${host.replaceAll(".", "\\.")}`));
    await workbench.dismissNotifications();
    await accessibleInEveryTheme(workbench, "trouble-no-network");
  });
});

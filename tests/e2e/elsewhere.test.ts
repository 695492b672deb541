// A kernel on another machine, and a workspace that is not trusted: nothing is read, run or redirected that should not be.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, describe } from "node:test";
import { figures, firstCheck } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

describe("a kernel on a slow server", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({
      settings: { "crane.useModel": false },
      viewport: ORDINARY,
      files: { "here.txt": "beside the notebook" },
      server: { files: { "there.txt": "beside the kernel" }, delay: 100 },
      notebooks: {
        "remote.ipynb": ["big = {f'key {n}': 'x' * 200 for n in range(20_000)}", "open('there.txt')", "open('here.txt')"],
      },
    });
    notebook = await workbench.openNotebook("remote.ipynb");
    await notebook.run("big = {");
  });
  after(() => workbench?.close());

  step("files are looked for where the kernel is, not where the editor is", async () => {
    await firstCheck(workbench, notebook.cell("open('here.txt')"), "Will crash: FileNotFoundError (certain)");
    await notebook.cell("open('there.txt')").checkUntil("Nothing certain found");
  });

  step("click to certain verdict over the slow connection", async (context) => {
    const samples: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await notebook.cell("open('here.txt')").append(" ");
      await notebook.cell("open('here.txt')").waitForStatus("Stale:");
      samples.push(await notebook.cell("open('here.txt')").checkUntil("Will crash: FileNotFoundError (certain)"));
    }
    context.diagnostic(`click to certain verdict, kernel 100 ms away each way: ${figures(samples)}`);
  });
});

describe("a workspace that is not trusted", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({
      trusted: false,
      viewport: ORDINARY,
      files: {
        ".env": "CRANE_LLM_BASE_URL=http://evil.example/v1\n",
        ".vscode/settings.json": JSON.stringify({
          "crane.pythonPath": "./evil.sh",
          "crane.model.baseUrl": "http://evil.example/v1",
          "crane.useModel": true,
        }),
        "evil.sh": "#!/bin/sh\ntouch ran\n",
      },
      notebooks: { "restricted.ipynb": ["import math", "math.sqrt('x')"] },
    });
    notebook = await workbench.openNotebook("restricted.ipynb");
  });
  after(() => workbench?.close());

  step("the button is there and says that kernels may not be asked, and what to do", async () => {
    await notebook.cell("math.sqrt(").check();
    const note = workbench.notification("This workspace is in Restricted Mode, where kernels may not be asked.");
    await note.waitFor();
    assert.match(await note.innerText(), /Trust the workspace first\./);
    await note.locator(".monaco-button", { hasText: "Manage Trust" }).waitFor();
    await workbench.screenshot("restricted-mode");
    await workbench.dismissNotifications();
  });

  step("no Python is started and no .env read, even where a command asks for the model's settings", async () => {
    await workbench.command("CRANE: Show Model Settings in Use");
    await workbench.notification("The model is not asked in Restricted Mode.").waitFor();
    await workbench.dismissNotifications();
    await workbench.command("CRANE: Create the Model Bridge's Environment");
    await workbench.notification("No environment is made in Restricted Mode.").waitFor();
    assert.equal(existsSync(path.join(workbench.editor.folder, "ran")), false);
  });
});

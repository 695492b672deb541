// A kernel on another machine, and a workspace that is not trusted: nothing is read, run or redirected that should not be.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { after, afterEach, before, describe } from "node:test";
import { CannedModel, MODEL } from "./harness/cannedModel.ts";
import { figures, firstCheck } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
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
        "remote.ipynb": [
          `text = """\n${"word ".repeat(160_000)}"""`,
          "len(text) + text",
          "big = {f'key {n}': 'x' * 200 for n in range(20_000)}", "open('there.txt')",
          "open('here.txt')",
        ],
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

  step("a cell of 800 kB in the history, and its text in the reply, arrive whole", async () => {
    await notebook.run("text = ");
    await notebook.cell("len(text) + text").checkUntil("Will crash: TypeError (certain)");
    await workbench.panel.shows(/Cell 1, run \[\d+\], line 1 text assigned here/);
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

describe("accidents of a server", { timeout: 600_000 }, () => {
  const CERTAIN = "Will crash: IndexError (certain)";
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const cell = () => notebook.cell("items[3]");
  /** Begins a check that takes its time, so that something can happen in the middle of it. */
  const slowCheck = async () => {
    await notebook.slowDown(6);
    await cell().status(/Check/).last().click();
    await cell().waitForStatus("Checking…");
    await until("the kernel works on it", 10_000, async () => ((await notebook.status()) === "busy") || undefined);
  };
  const idle = () => until("the kernel is idle", 30_000, async () => ((await notebook.status()) === "idle") || undefined);

  before(async () => {
    workbench = await Workbench.open({
      settings: { "crane.useModel": false },
      viewport: ORDINARY,
      server: { files: { "there.txt": "" }, delay: 40 },
      notebooks: { "accidents.ipynb": ["items = [1, 2, 3]", "items[3]"] },
    });
    notebook = await workbench.openNotebook("accidents.ipynb");
    await notebook.run("items = [");
    await firstCheck(workbench, cell(), CERTAIN);
  });
  after(() => workbench?.close());
  afterEach(() => workbench.dismissNotifications());

  step("interrupted in the middle of a check: said, and the next check works", async () => {
    await slowCheck();
    await cell().select();
    await workbench.command("Jupyter: Interrupt Kernel");
    await workbench.notification("The check was interrupted together with the kernel.").waitFor();
    await idle();
    await cell().checkUntil(CERTAIN);
  });

  step("the connection is lost and comes back in the middle of a check: the verdict comes, late", async () => {
    await slowCheck();
    await notebook.accident("disconnect");
    await workbench.page.waitForTimeout(4000);
    await notebook.accident("reconnect");
    await cell().waitForStatus(CERTAIN);
    await idle();
  });

  step("the server goes away in the middle of a check: said long before the time is up; a click says so at once", async () => {
    await slowCheck();
    await notebook.accident("disconnect");
    await workbench.notification("The editor lost its connection to the kernel during the check.").waitFor({ timeout: 15_000 });
    await cell().hasNoStatus("Checking…");
    await workbench.screenshot("server-gone");
    await workbench.dismissNotifications();
    await cell().status(/Check/).last().click();
    await workbench.notification("The editor is not connected to the kernel.").waitFor();
    await notebook.accident("reconnect");
    await idle();
    await cell().checkUntil(CERTAIN);
  });

  step("a kernel that is restarting: said plainly, and once it is idle the check works", async () => {
    // It is back within a second or so: a click may come too late to see it.
    await until("a click meets it", 60_000, async () => {
      const back = notebook.accident("crash");
      await cell().status(/Check/).last().click();
      const met = await workbench.notification("The kernel is restarting.").waitFor({ timeout: 2000 }).then(() => true, () => undefined);
      await back;
      await idle();
      return met;
    });
    await notebook.run("items = [");
    await cell().checkUntil(CERTAIN);
  });

  step("the kernel dies in the middle of a check and the server starts it again: said, stale, and nothing is taken for known", async () => {
    await slowCheck();
    await notebook.accident("crash");
    await workbench.notification("The kernel died during the check.").waitFor();
    await idle();
    await cell().checkUntil("Will crash: NameError (certain)");
  });
});

describe("a trusted workspace whose files would redirect what is sent", { timeout: 600_000 }, () => {
  const KEYS = { env: "sk-env-0123456789abcdefghij", stored: "sk-stored-0123456789abcdefghij" };
  let mine: CannedModel;
  let theirs: CannedModel;
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const cell = () => notebook.cell("int(input())");
  const send = () => workbench.panel.frame.getByRole("button", { name: "Send", exact: true }).click();

  before(async () => {
    [mine, theirs] = [await CannedModel.start(), await CannedModel.start()];
    mine.predict(false, "It runs.");
    theirs.predict(false, "It runs.");
    workbench = await Workbench.open({
      viewport: ORDINARY,
      settings: mine.settings,
      environment: { CRANE_LLM_API_KEY: KEYS.env },
      files: {
        ".env": `CRANE_LLM_BASE_URL=${theirs.baseUrl}\n`,
        ".vscode/settings.json": JSON.stringify({
          "crane.pythonPath": "./evil.sh",
          "crane.model.baseUrl": theirs.baseUrl,
          "crane.model.name": "evil-model",
        }),
        "evil.sh": "#!/bin/sh\ntouch ran\n",
      },
      notebooks: { "trusted.ipynb": ["import math", "int(input())"] },
    });
    await chmod(path.join(workbench.editor.folder, "evil.sh"), 0o755);
    notebook = await workbench.openNotebook("trusted.ipynb");
    await notebook.run("import math");
  });
  after(async () => {
    await workbench?.close();
    await mine?.stop();
    await theirs?.stop();
  });

  step("its settings change neither endpoint, model nor interpreter", async () => {
    await cell().check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.panel.shows(`Send this to ${mine.host}?`);
    await workbench.panel.shows(`Model ${MODEL}`);
    await send();
    await cell().waitForStatus("No crash predicted");
    assert.equal(existsSync(path.join(workbench.editor.folder, "ran")), false);
    assert.equal(theirs.received.length, 0);
    assert.deepEqual([...new Set(mine.keys)], [KEYS.env]);
  });

  step("its .env names an endpoint where the person named none: asked about that host, declined, nothing goes there", async () => {
    await workbench.command("CRANE: Set API Key");
    const input = workbench.page.locator(".quick-input-widget input.input:visible");
    await input.fill(KEYS.stored);
    await input.press("Enter");
    await workbench.notification(`The API key for ${mine.host} is stored.`).waitFor();
    await workbench.dismissNotifications();
    await workbench.editor.configure({ "crane.model.baseUrl": undefined });
    await workbench.reload(); // the settings are read anew
    await notebook.run("import math");
    await cell().check();
    await workbench.panel.shows(`Send this to ${theirs.host}?`);
    await workbench.screenshot("env-elsewhere");
    await workbench.panel.frame.getByRole("button", { name: "Don't send" }).click();
    await cell().waitForStatus("Model not asked");
    assert.deepEqual([theirs.received, theirs.keys], [[], []]);
  });

  step("agreed: the text goes there, and no key that was stored for another host", async () => {
    await cell().status("Check again").click();
    await send();
    await cell().waitForStatus("No crash predicted");
    assert.equal(theirs.received.length, 1);
    assert.ok(!theirs.keys.includes(KEYS.stored), theirs.keys.join());
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

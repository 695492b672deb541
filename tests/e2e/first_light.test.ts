// The main job: open a notebook, run some cells, click Check on the next one, read whether it will crash and why.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { DEMO, figures, preparedDemo, SETUP_CELLS } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { Workbench } from "./harness/workbench.ts";

/** What a check must leave as it was, read from inside the kernel. */
const TRACES = `
def _traces():
    import hashlib, json, os, random, sys, warnings
    import matplotlib, numpy, pandas
    shell = get_ipython()
    names = {name: id(value) for name, value in shell.user_ns.items() if name != "_traces"}
    print(json.dumps({
        "names": names,
        "history": [shell.execution_count, In[:], sorted(Out), [repr(shell.user_ns.get(name)) for name in ("_", "__", "___")]],
        "random": hashlib.md5(repr(random.getstate()).encode()).hexdigest(),
        "numpy random": hashlib.md5(numpy.random.get_state()[1].tobytes()).hexdigest(),
        "modules": sorted(name for name in sys.modules if not name.startswith("_crane_llm")),
        "path": sys.path,
        "directory": [os.getcwd(), sorted(os.listdir())],
        "filters": len(warnings.filters),
        "figures": sys.modules["matplotlib.pyplot"].get_fignums(),
        "settings": hashlib.md5(repr(dict(matplotlib.rcParams)).encode()).hexdigest(),
        "frame": int(pandas.util.hash_pandas_object(rentals).sum()),
        "model": model.coef_.tolist(),
    }))
_traces()
del _traces
`;

describe("first light", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);
  let notebook: Notebook;

  before(async () => {
    workbench = await Workbench.open({ access: "ask", settings: { "crane.useModel": false } });
    notebook = await workbench.openNotebook("demo.ipynb");
  });
  after(async () => {
    await workbench?.screenshot("first-light-end");
    await workbench?.close();
  });

  step("every Python code cell, and no other, carries the Check button", async () => {
    const cells = await notebook.cells.count();
    assert.equal(cells, Object.keys(DEMO).length);
    for (const words of Object.values(DEMO)) {
      await notebook.cell(words).status(/^\s*Check\s*$/).waitFor();
    }
    const markdown = workbench.page.locator(".markdown-cell-row .cell-status-item:visible", { hasText: "Check" });
    assert.equal(await markdown.count(), 0);
  });

  step("without a kernel the button says what to do, and asks for nothing", async () => {
    await notebook.cell(DEMO.share).check();
    const note = workbench.notification("No kernel is running for this notebook yet.");
    await note.waitFor();
    assert.match(await note.innerText(), /Run a cell, then check again\./);
    assert.equal(await workbench.editor.control("prompts"), 0);
    await workbench.dismissNotifications();
  });

  step("the access dialog is explained before it appears; then the certain crash stands in the status bar", async () => {
    await notebook.run(...SETUP_CELLS);
    assert.equal(await workbench.editor.control("prompts"), 0, "running cells must not bring up the access dialog");
    const cell = notebook.cell(DEMO.share);
    await cell.check();
    const explanation = workbench.dialog("CRANE needs to look into the running kernel");
    await explanation.waitFor();
    assert.match(await explanation.innerText(), /does not run your cell, changes no variable/);
    await workbench.screenshot("access-explained");
    await workbench.answer(explanation, "Continue");
    const question = workbench.dialog("Do you want to grant Kernel access to the extension CRANE: Crash Prediction");
    await question.waitFor();
    await workbench.answer(question, "Allow");
    await cell.waitForStatus("Will crash: KeyError (certain)");
  });

  step("the panel opens by itself and says what, where and why", async () => {
    const { panel } = workbench;
    await panel.shows("Will crash: KeyError (certain)");
    await panel.shows("Built-in check · certain");
    await panel.shows(/KeyError: 'registered'/);
    await panel.shows("line 1");
    await panel.shows("Where it comes from");
    await panel.shows(/rentals/);
    await workbench.screenshot("certain-crash");
  });

  step("the crashing expression is underlined, as an error", async () => {
    await notebook.cell(DEMO.share).squiggles("error").first().waitFor();
    assert.equal(await notebook.cell(DEMO.share).squiggles("warning").count(), 0);
  });

  step("an origin link leads to the line that dropped the column", async () => {
    await workbench.panel.link(/Cell 2.*line 2/).first().click();
    const focused = workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "rentals.drop(" });
    await focused.waitFor();
    const origin = notebook.cell(DEMO.columns);
    await origin.waitForStatus("Origin of rentals");
    await workbench.screenshot("origin");
  });

  step("editing the cell makes the verdict stale, and the squiggle goes", async () => {
    const cell = notebook.cell(DEMO.share);
    await cell.append("\n# a thought");
    await cell.waitForStatus("Stale: Will crash: KeyError");
    await workbench.panel.shows(/the cell was edited/);
    assert.equal(await cell.squiggles("error").count(), 0);
    await workbench.screenshot("stale");
  });

  step("Check again makes it fresh; running another cell makes it stale; running the cell itself clears it", async () => {
    const cell = notebook.cell(DEMO.share);
    await cell.status("Check again").click();
    await cell.waitForStatus("Will crash: KeyError (certain)");
    await notebook.run(DEMO.helpers);
    await cell.waitForStatus("Stale: Will crash: KeyError");
    await cell.run();
    await cell.waitForStatus(/^\s*Check\s*$/);
    await cell.hasNoStatus(/Stale|Will crash/);
    await notebook.showsOutput("KeyError: 'registered'");
  });

  step("a check leaves no trace in the kernel and does not touch the notebook", async () => {
    const cell = notebook.cell(DEMO.evaluate);
    await cell.checkUntil("Nothing certain found"); // the package is there now
    const traces = await notebook.evaluate(TRACES);
    assert.match(traces, /"names"/);
    await cell.status("Check again").click();
    await cell.waitForStatus("Nothing certain found");
    assert.deepEqual(JSON.parse(await notebook.evaluate(TRACES)), JSON.parse(traces));
    await workbench.page.keyboard.press("Control+S");
    await workbench.page.waitForTimeout(500);
    assert.equal(await notebook.isDirty(), false);
    await cell.checkUntil("Nothing certain found");
    assert.equal(await notebook.isDirty(), false, "a check must not make the notebook dirty");
  });

  step("each demo cell: what is said before is what happens after", async () => {
    const expected: [string, string, RegExp | null][] = [
      [DEMO.evaluate, "Nothing certain found", null],
      [DEMO.forecast, "Will crash: ValueError (certain)", /The feature names should match/],
      [DEMO.chart, "Nothing certain found", null],
      [DEMO.rank, "Will crash: AttributeError (certain)", /'NoneType' object has no attribute 'index'/],
      [DEMO.seasons, "Will crash: IndexError (certain)", /list index out of range/],
    ];
    for (const [words, said, message] of expected) {
      const cell = notebook.cell(words);
      await cell.checkUntil(said);
      if (message) {
        await workbench.panel.shows(message);
      }
      await cell.run();
      const failed = await cell.row.locator(".codicon-notebook-state-error").count();
      assert.equal(failed > 0, message !== null, `${words}: the prediction was ${said}`);
      if (message) {
        await notebook.showsOutput(message);
      }
    }
  });

  step("click to certain verdict, timed", async (context) => {
    const cell = notebook.cell(DEMO.rank);
    const samples: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await cell.append(" ");
      // The edit must have reached the extension before the click, or it makes the new verdict stale at once.
      if (round > 0) {
        await cell.waitForStatus("Stale:");
      } else {
        await new Promise((resume) => setTimeout(resume, 1000));
      }
      samples.push(await cell.checkUntil("Will crash: AttributeError (certain)"));
    }
    context.diagnostic(`click to certain verdict, warm local kernel: ${figures(samples)}`);
  });
});

describe("first light, the shortest way", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);

  after(() => workbench?.close());

  step("the command palette checks the selected cell too", async () => {
    workbench = await Workbench.open({ settings: { "crane.useModel": false } });
    const notebook = await preparedDemo(workbench);
    await notebook.cell(DEMO.seasons).select();
    await workbench.command("CRANE: Check Cell");
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await notebook.cell(DEMO.seasons).waitForStatus("Will crash: IndexError (certain)");
  });
});

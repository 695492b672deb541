// The main job: open a notebook, run some cells, click Check on the next one, read whether it will crash and why.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DEMO, figures, preparedDemo, SETUP_CELLS } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { Workbench } from "./harness/workbench.ts";

/** What a check must leave as it was, read from inside the kernel. */
const TRACES = `
import json as _j, random as _r, sys as _s, warnings as _w, os as _o, hashlib as _h
import numpy as _n, matplotlib as _m
_ip = get_ipython()
_own = {"_j", "_r", "_s", "_w", "_o", "_h", "_n", "_m", "_ip", "_own"}
print(_j.dumps({
    "names": sorted(set(_ip.user_ns) - _own), "count": _ip.execution_count, "in": In[:], "out": sorted(Out),
    "last": [repr(_ip.user_ns.get(k)) for k in ("_", "__", "___")], "random": hash(_r.getstate()),
    "numpy": _h.md5(_n.random.get_state()[1].tobytes()).hexdigest(), "modules": sorted(m for m in _s.modules if not m.startswith("_crane_llm")),
    "path": _s.path, "cwd": _o.getcwd(), "filters": len(_w.filters), "figures": _s.modules["matplotlib.pyplot"].get_fignums(),
    "frame": int(__import__("pandas").util.hash_pandas_object(rentals).sum()), "totals": totals[:5],
}))
for _k in sorted(_own): del _ip.user_ns[_k]
del _k
`;

describe("first light", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;

  before(async () => {
    workbench = await Workbench.open({ access: "ask", settings: { "crane.useModel": false } });
    notebook = await workbench.openNotebook("demo.ipynb");
  });
  after(async () => {
    await workbench?.screenshot("first-light-end");
    await workbench?.close();
  });

  test("every Python code cell, and no other, carries the Check button", async () => {
    const cells = await notebook.cells.count();
    assert.equal(cells, Object.keys(DEMO).length);
    for (const words of Object.values(DEMO)) {
      await notebook.cell(words).status(/^\s*Check\s*$/).waitFor();
    }
    const markdown = workbench.page.locator(".markdown-cell-row .cell-status-item:visible", { hasText: "Check" });
    assert.equal(await markdown.count(), 0);
  });

  test("without a kernel the button says what to do, and asks for nothing", async () => {
    await notebook.cell(DEMO.share).check();
    const note = workbench.notification("No kernel is running for this notebook yet.");
    await note.waitFor();
    assert.match(await note.innerText(), /Run a cell, then check again\./);
    assert.equal(await workbench.editor.control("prompts"), 0);
    await workbench.dismissNotifications();
  });

  test("the access dialog is explained before it appears; then the certain crash stands in the status bar", async () => {
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

  test("the panel opens by itself and says what, where and why", async () => {
    const { panel } = workbench;
    await panel.shows("Will crash: KeyError (certain)");
    await panel.shows("Built-in check · certain");
    await panel.shows(/KeyError: 'registered'/);
    await panel.shows("line 1");
    await panel.shows("Where it comes from");
    await panel.shows(/rentals/);
    await workbench.screenshot("certain-crash");
  });

  test("the crashing expression is underlined, as an error", async () => {
    await notebook.cell(DEMO.share).squiggles("error").first().waitFor();
    assert.equal(await notebook.cell(DEMO.share).squiggles("warning").count(), 0);
  });

  test("an origin link leads to the line that dropped the column", async () => {
    await workbench.panel.frame.locator(".origins ol").getByRole("button", { name: /line 2/ }).or(
      workbench.panel.frame.locator(".origins ol").getByRole("link", { name: /line 2/ }),
    ).first().click();
    const focused = workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "rentals.drop(" });
    await focused.waitFor();
    const origin = notebook.cell(DEMO.columns);
    await origin.waitForStatus("Origin of rentals");
    await workbench.screenshot("origin");
  });

  test("editing the cell makes the verdict stale, and the squiggle goes", async () => {
    const cell = notebook.cell(DEMO.share);
    await cell.append("\n# a thought");
    await cell.waitForStatus("Stale: Will crash: KeyError");
    await workbench.panel.shows(/the cell was edited/);
    assert.equal(await cell.squiggles("error").count(), 0);
    await workbench.screenshot("stale");
  });

  test("Check again makes it fresh; running another cell makes it stale; running the cell itself clears it", async () => {
    const cell = notebook.cell(DEMO.share);
    await cell.status("Check again").click();
    await cell.waitForStatus("Will crash: KeyError (certain)");
    await notebook.run(DEMO.helpers);
    await cell.waitForStatus("Stale: Will crash: KeyError");
    await cell.run();
    await cell.waitForStatus(/^\s*Check\s*$/);
    await cell.hasNoStatus(/Stale|Will crash/);
    assert.match(await cell.row.innerText(), /KeyError/, "the cell really raises what was said");
  });

  test("a check leaves no trace in the kernel and does not touch the notebook", async () => {
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

  test("each demo cell: what is said before is what happens after", async () => {
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
      const output = await cell.row.innerText();
      if (message) {
        assert.match(output, message, `${words}: it was to raise this`);
      } else {
        assert.doesNotMatch(output, /Traceback|Error:/, `${words}: it was to run`);
      }
    }
  });

  test("click to certain verdict, timed", async (context) => {
    const cell = notebook.cell(DEMO.rank);
    const samples: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await cell.append(" ");
      samples.push(await cell.checkUntil("Will crash: AttributeError (certain)"));
    }
    context.diagnostic(`click to certain verdict, warm local kernel: ${figures(samples)}`);
  });
});

describe("first light, the shortest way", { timeout: 300_000 }, () => {
  test("the command palette checks the selected cell too", async () => {
    const workbench = await Workbench.open({ settings: { "crane.useModel": false } });
    try {
      const notebook = await preparedDemo(workbench);
      await notebook.cell(DEMO.seasons).select();
      await workbench.command("CRANE: Check Cell");
      await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
      await notebook.cell(DEMO.seasons).waitForStatus("Will crash: IndexError (certain)");
    } finally {
      await workbench.close();
    }
  });
});

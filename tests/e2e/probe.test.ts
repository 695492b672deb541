import assert from "node:assert/strict";
import { test } from "node:test";
import { Workbench } from "./harness/workbench.ts";

test("probe", { timeout: 120_000 }, async () => {
  const t0 = Date.now();
  const T = (what: string) => console.log(((Date.now() - t0) / 1000).toFixed(2), what);
  const workbench = await Workbench.open();
  T("open");
  try {
    const notebook = await workbench.openNotebook("demo.ipynb");
    T("notebook");
    await notebook.run("read_csv");
    T("ran");
    await notebook.run("by_weather = ", "train_test_split(complete", "season_of(month):");
    T("ran 4");
    console.log(await notebook.evaluate("print(sorted(n for n in globals() if not n.startswith('_')))"));
    console.log(await notebook.cell("read_csv").statusText(), await notebook.isDirty(), await notebook.status());
    await workbench.screenshot("probe");
    assert.ok(true);
  } catch (e) { await workbench.screenshot("probe-failed"); throw e; } finally {
    await workbench.close();
  }
});

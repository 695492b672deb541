// The test double keeps the promises that the real Jupyter extension was seen to keep: everything else rests on them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
import { Workbench } from "./harness/workbench.ts";

interface CallResult {
  seen: { mime: string; text: string }[];
  error: { name: string; message: string; ename: string | null } | null;
}

const STDOUT = "application/vnd.code.notebook.stdout";
const NAME = "cells.ipynb";

describe("test double of the Jupyter extension", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;

  const call = (code: string, cancelAfter?: number) =>
    workbench.editor.control<CallResult>("call", { notebook: NAME, code, ...(cancelAfter && { cancelAfter }) });

  before(async () => {
    workbench = await Workbench.open({
      notebooks: { [NAME]: ["first = 41", "import time; time.sleep(1.5); slow = True", "after_slow = slow"] },
    });
    notebook = await workbench.openNotebook(NAME);
    await notebook.run("first = 41");
  });
  after(() => workbench?.close());

  test("a call leaves execution count, In and Out alone, but its variables leak", async () => {
    const before = await notebook.evaluate("print(get_ipython().execution_count, len(In), len(Out))");
    const result = await call("leaked = first + 1\nprint(leaked)");
    assert.deepEqual(result, { seen: [{ mime: STDOUT, text: "42\n" }], error: null });
    assert.equal(await notebook.evaluate("print(get_ipython().execution_count, len(In), len(Out))"), before);
    assert.equal(await notebook.evaluate("print('leaked' in globals()); del leaked"), "True\n");
  });

  test("every mime type of display data arrives", async () => {
    const publish = "from IPython.display import publish_display_data as p; p({'application/vnd.x+json': {'a': 1}})";
    const { seen } = await call(publish);
    assert.deepEqual(seen, [{ mime: "application/vnd.x+json", text: '{"a":1}' }]);
  });

  test("an exception is yielded as output and then thrown", async () => {
    const { seen, error } = await call("print('before'); 1 / 0");
    assert.deepEqual(
      seen.map((item) => item.mime),
      [STDOUT, "application/vnd.code.notebook.error"],
    );
    assert.equal(error?.ename, "ZeroDivisionError");
  });

  test("calls and cells run strictly in turn", async () => {
    await notebook.cell("time.sleep(1.5)").start();
    await until("the cell runs", 10_000, async () => ((await notebook.status()) === "busy") || undefined);
    const { seen } = await call("print(slow)");
    assert.equal(seen[0]?.text, "True\n");
  });

  test("cancelling a running call interrupts the kernel", async () => {
    const { error } = await call("import time\nfor _ in range(200): time.sleep(0.05)\nprint('finished')", 500);
    assert.match(error?.message ?? "", /Canceled future/);
    await until("the kernel is idle again", 10_000, async () => ((await notebook.status()) === "idle") || undefined);
  });

  test("a person's interrupt ends a running call with the same error", async () => {
    const running = call("import time\nfor _ in range(200): time.sleep(0.05)");
    await until("the call runs", 10_000, async () => ((await notebook.status()) === "busy") || undefined);
    await workbench.command("Jupyter: Interrupt Kernel");
    const { error } = await running;
    assert.match(error?.message ?? "", /Canceled future/);
    await until("the kernel is idle again", 10_000, async () => ((await notebook.status()) === "idle") || undefined);
  });

  test("a call to a killed kernel hangs until its token is cancelled, and a restart helps", async () => {
    await notebook.kill();
    await until("the death is seen", 10_000, async () => ((await notebook.status()) === "dead") || undefined);
    const began = performance.now();
    const result = await call("print(1)", 1000);
    assert.ok(performance.now() - began >= 950, "the call ended by itself");
    assert.deepEqual(result, { seen: [], error: null });
    await workbench.command("Jupyter: Restart Kernel");
    await until("the kernel is back", 30_000, async () => ((await notebook.status()) === "idle") || undefined);
    assert.equal(await notebook.evaluate("print('first' in globals())"), "False\n");
  });
});

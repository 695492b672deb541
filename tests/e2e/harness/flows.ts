// What several stories begin with, and figures that they print.
import type { Cell, Notebook } from "./notebook.ts";
import type { Workbench } from "./workbench.ts";

/** Words that each code cell of the demo notebook is found by. */
export const DEMO = {
  load: "read_csv",
  columns: "by_weather =",
  train: "train_test_split(complete",
  helpers: "def season_of",
  share: "Registered riders",
  evaluate: "mean_absolute_error(test",
  forecast: "tomorrow = pd.DataFrame",
  chart: "plt.subplots",
  rank: "busiest.index",
  seasons: "for month in",
} as const;

export const SETUP_CELLS = [DEMO.load, DEMO.columns, DEMO.train, DEMO.helpers];

/** Opens the demo notebook and runs the cells of its first part. */
export async function preparedDemo(workbench: Workbench): Promise<Notebook> {
  const notebook = await workbench.openNotebook("demo.ipynb");
  await notebook.run(...SETUP_CELLS);
  return notebook;
}

/** Checks a cell for the first time in a window, going through the explanation of kernel access if it comes. */
export async function firstCheck(workbench: Workbench, cell: Cell, expected: string | RegExp): Promise<void> {
  await cell.check();
  const explanation = workbench.dialog("CRANE needs to look into the running kernel");
  await explanation.waitFor();
  await workbench.answer(explanation, "Continue");
  await cell.waitForStatus(expected);
}

/** “median 120 ms, p95 180 ms, 20 samples”. */
export function figures(milliseconds: number[]): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, ${sorted.length} samples`;
}

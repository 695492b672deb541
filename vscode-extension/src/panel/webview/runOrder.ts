import type { Jump, RunView } from "../view";
import { svg } from "./dom";

const STEP = 56;
const SIZE = 28;
const TOP = 46;

/**
 * The cells in the order in which they ran, as a row of boxes; the checked cell comes last. Arcs lead from the cells
 * that made it so. The list of origins says the same in words.
 */
export function runOrder(runs: readonly RunView[], jump: (to: Jump) => void): SVGSVGElement {
  const width = runs.length * STEP + 16;
  const target = runs.length - 1;
  const origins = runs.flatMap((run, index) => (run.role === "origin" ? [index] : []));
  const height = TOP + SIZE + 22;
  const drawing = svg("svg", {
    class: "runs",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "group",
    "aria-label": `Run order: ${runs.length - 1} earlier runs, ${origins.length} of them origins of the crash`,
  });
  drawing.append(svg("path", { class: "thread", d: `M${center(0)} ${TOP + SIZE / 2}H${center(target)}` }));
  for (const index of origins) {
    drawing.append(arc(index, target));
  }
  runs.forEach((run, index) => {
    drawing.append(box(run, index, jump));
  });
  return drawing;
}

function center(index: number): number {
  return 8 + index * STEP + STEP / 2;
}

function arc(from: number, to: number): SVGPathElement {
  const [x1, x2] = [center(from), center(to)];
  const lift = Math.min(TOP - 6, 14 + (to - from) * 5);
  return svg("path", { class: "arc", d: `M${x1} ${TOP}C${x1} ${TOP - lift} ${x2} ${TOP - lift} ${x2} ${TOP - 2}` });
}

function box(run: RunView, index: number, jump: (to: Jump) => void): SVGElement {
  const label = run.role === "target" ? "?" : run.order === null ? "–" : String(run.order);
  const spoken = [
    label,
    run.role === "target" ? `checked cell, ${run.name}` : run.name,
    run.failed ? "it raised" : "",
    run.variables.length > 0 ? `origin of ${run.variables.join(", ")}` : "",
  ];
  const x = center(index) - SIZE / 2;
  const names = run.variables.join(", ");
  const group = svg(
    "g",
    { class: `run ${run.role}${run.failed ? " failed" : ""}` },
    svg("rect", { x, y: TOP, width: SIZE, height: SIZE, rx: 4 }),
    svg("text", { class: "count", x: center(index), y: TOP + SIZE / 2 + 4, "text-anchor": "middle" }, label),
  );
  if (run.jump) {
    const to = run.jump;
    group.setAttribute("role", "link");
    group.setAttribute("tabindex", "0");
    group.setAttribute("aria-label", spoken.filter(Boolean).join(", "));
    group.setAttribute("data-focus", `run-${index}`);
    group.addEventListener("click", () => jump(to));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        jump(to);
      }
    });
  }
  const y = TOP + SIZE + 15;
  const under =
    names &&
    svg("text", { class: "name", x: center(index), y, "text-anchor": "middle", "aria-hidden": "true" }, shorten(names));
  return svg("g", {}, group, under);
}

function shorten(text: string): string {
  return text.length > 9 ? `${text.slice(0, 8)}…` : text;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

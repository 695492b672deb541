import { svg } from "./dom";

/** Drawings of our own in the manner of the editor's icons, so that no font has to be loaded. 16 units square. */
const PATHS: Record<string, string[]> = {
  error: ["M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z", "M5.5 5.5l5 5M10.5 5.5l-5 5"],
  warning: ["M8 1.8L14.8 14H1.2z", "M8 6v4M8 11.6v1"],
  check: ["M2.5 8.5l3.7 3.7L13.5 4"],
  "circle-slash": ["M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z", "M3.4 12.6l9.2-9.2"],
  question: ["M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z", "M6 6.2a2 2 0 1 1 2.6 2c-.5.2-.6.6-.6 1.2M8 11v1"],
  history: ["M2.6 5.2A6 6 0 1 1 2 8", "M2.2 2.4v3h3", "M8 4.6V8l2.4 1.6"],
  sync: ["M13.5 7A5.6 5.6 0 0 0 3.2 5M2.5 9a5.6 5.6 0 0 0 10.3 2", "M3 2.2V5h2.8M13 13.8V11h-2.8"],
  pulse: ["M1 8.5h3l2-5 3 9 2-4h4"],
};

/** A decoration beside words that say the same, hence hidden from screen readers. */
export function icon(name: string): SVGSVGElement {
  const base = name.split("~")[0] ?? name;
  const spins = name.endsWith("~spin");
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: spins ? "icon spin" : "icon", "aria-hidden": "true" },
    ...(PATHS[base] ?? []).map((d) => svg("path", { d })),
  );
}

import type { CellView, CodeLine, FromPanel, OutgoingView, PanelView, StepView, TextView, VariableRow } from "../view";
import { button, el, link } from "./dom";
import { icon } from "./icons";
import { capital, runOrder } from "./runOrder";

export type Send = (message: FromPanel) => void;
/** Which folded parts are open, by id: kept when the page is drawn again. */
export type Open = Map<string, boolean>;

export function switches(view: PanelView, send: Send): HTMLElement {
  const one = (name: "useModel" | "includeRuntime", label: string, hint: string, on: boolean, disabled: boolean) => {
    const input = el("input", {
      type: "checkbox",
      role: "switch",
      id: name,
      checked: on,
      disabled,
      "data-focus": name,
      "aria-describedby": `${name}-hint`,
    });
    input.addEventListener("change", () => send({ type: "switch", name, value: input.checked }));
    const words = el("label", { for: name }, label);
    return el("div", { class: "switch" }, input, words, el("span", { class: "hint", id: `${name}-hint` }, hint));
  };
  return el(
    "div",
    { class: "switches", role: "group", "aria-label": "What a check may do" },
    one(
      "useModel",
      "Use the model",
      view.useModel ? "Asked when nothing is certain" : "Off: nothing is sent anywhere",
      view.useModel,
      false,
    ),
    one(
      "includeRuntime",
      "Include runtime information",
      view.useModel
        ? view.includeRuntime
          ? "The model sees what the variables are"
          : "Off: code alone, without the checks"
        : "No effect while the model is off",
      view.includeRuntime,
      !view.useModel,
    ),
  );
}

export function headline(cell: CellView, send: Send): HTMLElement {
  const { head } = cell;
  const again = cell.checking
    ? button("cancel", "Stop waiting", () => send({ type: "cancel", key: cell.key }))
    : button("check", "Check again", () => send({ type: "check", key: cell.key }));
  return el(
    "header",
    { class: `head ${head.tone}` },
    el("h1", {}, icon(head.icon), el("span", {}, head.text)),
    el(
      "p",
      { class: "under" },
      link("cell", cell.name, () => send({ type: "jump", jump: cell.crash?.jump ?? { key: cell.key, line: 1 } })),
      head.badge && el("span", { class: "badge" }, head.badge),
    ),
    head.stale && el("p", { class: "stale" }, head.stale),
    head.meaning && el("p", { class: "meaning" }, head.meaning),
    el("div", { class: "actions" }, again),
  );
}

export function problem(cell: CellView, send: Send): HTMLElement | null {
  if (!cell.problem) {
    return null;
  }
  const ways = cell.problem.waysOut.map((label, index) =>
    button(`way-${index}`, label, () => send({ type: "wayOut", key: cell.key, index })),
  );
  return section(
    "problem",
    "The model",
    el("p", {}, cell.problem.message),
    cell.problem.hint && el("p", { class: "pre" }, cell.problem.hint),
    ways.length > 0 && el("div", { class: "actions" }, ...ways),
  );
}

export function crash(cell: CellView, send: Send): HTMLElement | null {
  const { crash: told } = cell;
  if (!told && !cell.reasoning) {
    return null;
  }
  const title = told ? "Why" : "Reasoning";
  const { suggestion } = told ?? {};
  return section(
    "why",
    title,
    told?.exception &&
      el(
        "p",
        { class: "exception" },
        el("strong", {}, told.exception),
        told.message ? `: ${told.message}` : "",
        told.jump.line !== null && " ",
        told.jump.line !== null &&
          link("crash-line", `line ${told.jump.line}`, () => send({ type: "jump", jump: told.jump })),
      ),
    told && told.lines.length > 0 && codeBlock(told.lines),
    cell.reasoning && el("p", { class: "reasoning" }, cell.reasoning),
    suggestion &&
      el(
        "div",
        { class: "actions" },
        button("apply", suggestion, () => send({ type: "applySuggestion", key: cell.key }), "primary"),
      ),
  );
}

function codeBlock(lines: readonly CodeLine[]): HTMLElement {
  return el(
    "pre",
    { class: "code", tabindex: 0, "aria-label": "The crashing line", "data-focus": "code" },
    ...lines.map(({ number, text, mark }) =>
      el(
        "code",
        { class: mark ? "line marked" : "line" },
        el("span", { class: "number", "aria-hidden": "true" }, String(number)),
        mark ? text.slice(0, mark.start) : text,
        mark && el("mark", {}, text.slice(mark.start, mark.end)),
        mark ? text.slice(mark.end) : "",
      ),
    ),
  );
}

export function origins(cell: CellView, send: Send): HTMLElement | null {
  if (cell.origins.length === 0 && !cell.runs.some((run) => run.role === "origin")) {
    return null;
  }
  const drawing =
    cell.runs.length > 1 &&
    el(
      "div",
      { class: "scroll" },
      runOrder(cell.runs, (jump) => send({ type: "jump", jump })),
    );
  return section(
    "origins",
    "Where it comes from",
    drawing,
    ...cell.origins.map((origin) =>
      el(
        "div",
        { class: "origin" },
        el("h3", {}, el("code", {}, origin.variable)),
        el("ol", {}, ...origin.steps.map((step, index) => stepItem(step, `${origin.variable}-${index}`, send))),
      ),
    ),
  );
}

function stepItem(step: StepView, id: string, send: Send): HTMLElement {
  const { jump } = step;
  const where = capital(step.place) + (jump?.line ? `, line ${jump.line}` : "");
  return el(
    "li",
    {},
    jump ? link(`step-${id}`, where, () => send({ type: "jump", jump })) : el("span", {}, where),
    ` ${step.words}`,
    step.detail && el("span", { class: "detail" }, ` — ${step.detail}`),
    step.fromHistory && el("span", { class: "detail" }, " (known from the history only)"),
    step.code && " ",
    step.code && el("pre", { class: "code small" }, el("code", {}, step.code)),
  );
}

export function variables(cell: CellView): HTMLElement | null {
  if (cell.variables.length === 0) {
    return null;
  }
  const headings = ["Variable", "Kind", "Shape", "Dtype", "Notes"];
  const body = cell.variables.map(variableRow);
  return section(
    "variables",
    "What the cell uses",
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Variables", "data-focus": "variables" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)))),
        el("tbody", {}, ...body),
      ),
    ),
    cell.leftOut.length > 0 && el("p", { class: "hint" }, `Left out: ${cell.leftOut.join("; ")}`),
  );
}

function variableRow(row: VariableRow): HTMLElement {
  const name = el("th", { scope: "row", class: `depth${Math.min(row.depth, 3)}` }, el("code", {}, row.name));
  const cells = [row.kind, row.shape, row.dtype, row.notes].map((text) => el("td", {}, text));
  return el("tr", {}, name, ...cells);
}

export function outgoing(told: OutgoingView, open: Open, send: Send, unfolded: boolean): HTMLElement {
  const answer = (agreed: boolean) => send({ type: "consent", recordId: told.recordId, agreed });
  const made = told.needsConsent && told.environment;
  const title = told.needsConsent ? `Send this to ${told.destination}?` : `What is sent to ${told.destination}`;
  return section(
    "outgoing",
    title,
    el("p", {}, `Model ${told.model}, about ${told.tokens} tokens. This is the exact text, and nothing else is sent.`),
    made && el("p", {}, made),
    told.needsConsent &&
      el(
        "div",
        { class: "actions" },
        button("send", told.agree, () => answer(true), "primary"),
        button("dont-send", "Don't send", () => answer(false)),
      ),
    told.leftOut.length > 0 && el("p", { class: "hint" }, `Left out to fit: ${told.leftOut.join("; ")}`),
    ...told.texts.map((text) => folded(`out-${told.recordId}-${text.title}`, text, open, unfolded)),
  );
}

export function trace(cell: CellView, open: Open): HTMLElement | null {
  if (cell.trace.length === 0) {
    return null;
  }
  const unread = (text: TextView) => cell.head.tone === "unreadable" && text.title === "Raw reply";
  const body = cell.trace.map((text) => folded(`${cell.key} ${text.title}`, text, open, unread(text)));
  return section("trace", "What was asked", cell.traceNote && el("p", {}, cell.traceNote), ...body);
}

function folded(id: string, text: TextView, open: Open, initially: boolean): HTMLElement {
  const details = el(
    "details",
    { open: open.get(id) ?? initially },
    el("summary", { "data-focus": `fold-${id}` }, text.title),
    el("pre", { class: "text", tabindex: 0, "aria-label": text.title }, text.text),
  );
  details.addEventListener("toggle", () => open.set(id, details.open));
  return details;
}

export function facts(cell: CellView, open: Open, send: Send): HTMLElement | null {
  if (cell.facts.length === 0) {
    return null;
  }
  const rows = cell.facts.map((fact, index) =>
    el(
      "li",
      { class: fact.lost ? "detail" : undefined },
      link(`fact-${index}`, `line ${fact.line}`, () =>
        send({ type: "jump", jump: { key: cell.key, line: fact.line } }),
      ),
      ` ${fact.text}`,
    ),
  );
  const details = el(
    "details",
    { open: open.get("facts") ?? false },
    el("summary", { "data-focus": "fold-facts" }, "Line by line"),
    el("ul", {}, ...rows),
  );
  details.addEventListener("toggle", () => open.set("facts", details.open));
  return section("facts", "What the checks know", details);
}

export function figures(cell: CellView): HTMLElement | null {
  if (cell.figures.length === 0) {
    return null;
  }
  const pairs = cell.figures.flatMap(({ label, value }) => [el("dt", {}, label), el("dd", {}, value)]);
  return section("figures", "Figures", el("dl", {}, ...pairs));
}

export function overview(view: PanelView, send: Send): HTMLElement | null {
  if (!view.overview) {
    return null;
  }
  const rows = view.overview.rows.map((row) =>
    el(
      "li",
      { class: row.tone, "aria-current": row.current ? "true" : undefined },
      icon(row.icon),
      link(`row-${row.key}`, row.name, () => send({ type: "show", key: row.key })),
      el("span", {}, ` ${row.text}`),
    ),
  );
  return section("overview", view.overview.title, el("ul", {}, ...rows));
}

function section(id: string, title: string, ...children: Parameters<typeof el>[2][]): HTMLElement {
  const heading = el("h2", { id: `${id}-title` }, title);
  return el("section", { class: id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

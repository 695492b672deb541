import type { FromPanel, PanelView } from "../view";
import { button, el, replaceContent } from "./dom";
import * as sections from "./sections";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const api = acquireVsCodeApi();
const send: sections.Send = (message) => api.postMessage(message);
const open: sections.Open = new Map();

const root = el("main", {});
const announcer = el("div", { class: "announcer", role: "status", "aria-live": "polite" });
document.getElementById("root")?.append(root, announcer);

let shown = "";

function draw(view: PanelView): void {
  const { cell } = view;
  root.className = cell?.crash && !cell.crash.certain ? "predicted-crash" : "";
  // A text that waits for consent or was asked for comes first and open; one that is on its way is only on record.
  const sending = cell?.checking && !cell.outgoing?.needsConsent;
  const parts = cell
    ? [
        sections.headline(cell, send),
        cell.outgoing && !sending ? sections.outgoing(cell.outgoing, open, send, true) : null,
        sections.problem(cell, send),
        sections.crash(cell, send),
        sections.origins(cell, send),
        sections.variables(cell),
        cell.outgoing && sending ? sections.outgoing(cell.outgoing, open, send, false) : null,
        sections.facts(cell, open, send),
        sections.trace(cell, open),
        sections.figures(cell),
        !cell.canPreview || !view.useModel
          ? null
          : el(
              "p",
              { class: "actions" },
              button("preview", "Preview what would be sent", () => send({ type: "preview", key: cell.key })),
            ),
      ]
    : [view.overviewFirst ? null : el("p", { class: "notice" }, view.notice)];
  const overview = sections.overview(view, send);
  const body = view.overviewFirst ? [overview, ...parts] : [...parts, overview];
  const all = [...body, sections.switches(view, send)];
  replaceContent(
    root,
    all.filter((part): part is HTMLElement => part !== null),
  );
  const now = `${cell?.key} ${cell?.checking}`;
  if (now !== shown) {
    shown = now;
    window.scrollTo(0, 0); // another cell, or a check that began or ended: the verdict is what counts
  }
  const said = cell ? `${cell.name}: ${cell.head.text}` : view.notice;
  if (announcer.textContent !== said) {
    announcer.textContent = said;
  }
}

window.addEventListener("message", (event: MessageEvent<PanelView>) => draw(event.data));
send({ type: "ready" });

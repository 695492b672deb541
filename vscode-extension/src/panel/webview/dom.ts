/** Small helpers to build elements. Text is only ever set as text. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name) as SVGElementTagNameMap[K];
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
}

/** A button. `id` keeps the focus on it when the page is drawn again. */
export function button(id: string, label: string, onClick: () => void, className = "secondary"): HTMLButtonElement {
  const element = el("button", { type: "button", class: className, "data-focus": id }, label);
  element.addEventListener("click", onClick);
  return element;
}

/** A button that reads as a link: it leads to a place in the notebook. */
export function link(id: string, label: string, onClick: () => void): HTMLButtonElement {
  return button(id, label, onClick, "link");
}

/** Draws the page anew, with the focus and the scroll position where they were. */
export function replaceContent(root: HTMLElement, content: Node[]): void {
  const focused = document.activeElement?.getAttribute("data-focus");
  const { scrollTop } = document.scrollingElement ?? document.documentElement;
  root.replaceChildren(...content);
  if (focused) {
    root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  (document.scrollingElement ?? document.documentElement).scrollTop = scrollTop;
}

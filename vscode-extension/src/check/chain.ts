/** Several cells as one text, so that a later cell is checked with what the earlier ones would do. */
export interface ChainCell {
  key: string;
  source: string;
}

export interface Chained {
  source: string;
  /** Lines before the last cell's first line: subtract it to get lines of that cell. */
  offset: number;
}

/** The cells in order, the last one being the one that is asked about. */
export function chain(cells: readonly ChainCell[]): Chained {
  const earlier = cells.slice(0, -1).map((cell) => asPart(cell.source));
  const target = cells.at(-1)?.source ?? "";
  const before = earlier.map((text) => `${text}\n`).join("");
  return { source: before + target, offset: before.split("\n").length - 1 };
}

/**
 * A cell magic may only stand at the top of a cell. Inside a longer text it becomes the call that IPython makes of it:
 * something that may do anything, which is all that is known of it.
 */
function asPart(source: string): string {
  const magic = /^\s*%%(\S+)([^\n]*)(?:\n([\s\S]*))?$/.exec(source);
  if (!magic) {
    return source;
  }
  const [, name = "", line = "", body = ""] = magic;
  const call = [name, line.trim(), body].map((text) => JSON.stringify(text)).join(", ");
  return `get_ipython().run_cell_magic(${call})${"\n".repeat(source.split("\n").length - 1)}`;
}

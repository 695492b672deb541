/** Where in a cell a verdict points, in the editor's terms: lines from 0, columns in UTF-16 units. */
export interface Span {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

export interface Place {
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
}

/** The verdict counts columns in characters; the editor counts UTF-16 units, two for an emoji. */
export function utf16Column(text: string, characters: number): number {
  let units = 0;
  let left = characters;
  for (const character of text) {
    if (left-- <= 0) {
      break;
    }
    units += character.length;
  }
  return units;
}

/** One place in the editor's terms, kept inside the text. */
export function pointOf(line: number, column: number, lines: readonly string[]): { line: number; column: number } {
  const row = Math.min(Math.max(0, line - 1), Math.max(0, lines.length - 1));
  return { line: row, column: utf16Column(lines[row] ?? "", column) };
}

/** The span of a verdict within the cell's lines; a whole line where no columns are known, line 1 where nothing is. */
export function spanOf(place: Place, lines: readonly string[]): Span {
  const last = Math.max(0, lines.length - 1);
  const clamp = (line: number) => Math.min(Math.max(0, line - 1), last);
  const startLine = clamp(place.line ?? 1);
  const text = lines[startLine] ?? "";
  const indent = text.length - text.trimStart().length;
  const wholeLine = { startLine, startColumn: indent, endLine: startLine, endColumn: text.trimEnd().length };
  if (place.line === null || place.column === null) {
    return wholeLine;
  }
  const endLine = Math.max(startLine, clamp(place.end_line ?? place.line));
  const startColumn = utf16Column(text, place.column);
  const endColumn = place.end_column === null ? undefined : utf16Column(lines[endLine] ?? "", place.end_column);
  if (endColumn === undefined || (endLine === startLine && endColumn <= startColumn)) {
    return startColumn < wholeLine.endColumn ? { ...wholeLine, startColumn } : wholeLine;
  }
  return { startLine, startColumn, endLine, endColumn };
}

import type { ExecutedCell, Origin } from "./protocol";

/**
 * Origins from the editor's own account of the runs: the last cell whose text assigns the variable. Used only for
 * variables of which the kernel's recorder says nothing.
 */
export function ownOrigins(variables: readonly string[], executed: readonly ExecutedCell[]): Origin[] {
  const origins: Origin[] = [];
  for (const variable of variables) {
    for (const cell of [...executed].reverse()) {
      const line = assigningLine(cell.source, variable);
      if (line !== null && cell.success !== false) {
        origins.push({ variable, steps: [{ action: "assigned", cell, line, detail: "", reason: null }] });
        break;
      }
    }
  }
  return origins;
}

/** The kernel's origins, completed for those of the blamed variables that it knows nothing of. */
export function completeOrigins(
  kernel: readonly Origin[],
  variables: readonly string[],
  executed: readonly ExecutedCell[],
): Origin[] {
  const known = kernel.filter((origin) => origin.steps.length > 0);
  const names = new Set(known.map((origin) => origin.variable.split(/[.[]/)[0]));
  const missing = variables.map((name) => name.split(/[.[]/)[0] ?? name).filter((name) => !names.has(name));
  return [...known, ...ownOrigins([...new Set(missing)], executed)];
}

/** The last line (1-based) that plainly binds the name: assignment, import, def, class, for, with, del excluded. */
export function assigningLine(source: string, name: string): number | null {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
    return null;
  }
  const before = "(?<![\\p{L}\\p{N}_.])";
  const after = "(?![\\p{L}\\p{N}_])";
  const patterns = [
    `^\\s*(?:[^=#'"()\\[\\]]*,\\s*)?\\(?${before}${name}${after}\\s*(?:,[^=#]*|:[^=#]+)?\\)?\\s*=(?!=)`,
    `^\\s*(?:async\\s+)?(?:def|class)\\s+${name}${after}`,
    `^\\s*(?:import|from)\\b.*${before}${name}${after}`,
    `^\\s*(?:async\\s+)?for\\s+[^#]*?${before}${name}${after}[^#]*?\\sin\\s`,
    `\\bas\\s+${name}${after}`,
    `${before}${name}${after}\\s*:=`,
  ].map((pattern) => new RegExp(pattern, "u"));
  const lines = source.split("\n");
  for (let index = lines.length - 1; index >= 0; index--) {
    if (patterns.some((pattern) => pattern.test(lines[index] ?? ""))) {
      return index + 1;
    }
  }
  return null;
}

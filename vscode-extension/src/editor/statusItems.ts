import type { CheckRecord } from "../verdicts";
import { CHECK, CHECK_AGAIN, recordPhrase, recordSentence, troublePhrase } from "../words";

/** One status-bar item of a cell, without the editor's types. */
export interface ItemSpec {
  text: string;
  tooltip: string;
  label: string;
  command: string;
  priority: number;
}

/** An origin of another cell's verdict, marked on the cell that made it so. */
export interface OriginNote {
  variable: string;
  words: string;
  targetKey: string;
}

const KEY_HINT = "Predict whether this cell crashes, without running it";

/** What stands under a cell. Everything is known already: this only words it. */
export function itemsFor(record: CheckRecord | undefined, notes: readonly OriginNote[]): ItemSpec[] {
  const items = record ? recordItems(record) : [checkItem(CHECK)];
  return [...items, ...noteItems(notes)];
}

function recordItems(record: CheckRecord): ItemSpec[] {
  const phrase = recordPhrase(record);
  if (!phrase) {
    return [checkItem(CHECK)];
  }
  const sentence = recordSentence(record);
  const checking = record.state === "checking";
  const first: ItemSpec = {
    text: `$(${phrase.icon}) ${phrase.text}`,
    tooltip: sentence,
    label: `CRANE: ${sentence}`,
    command: checking && !record.outgoing?.needsConsent ? "crane.cancel" : "crane.showDetails",
    priority: 20,
  };
  const modelTrouble: ItemSpec[] =
    record.problem && !checking
      ? [
          {
            text: `$(debug-disconnect) ${troublePhrase(record.problem.kind)}`,
            tooltip: `${record.problem.message} ${record.problem.hint}`.trim(),
            label: `CRANE: ${troublePhrase(record.problem.kind)}. ${record.problem.message}`,
            command: "crane.showDetails",
            priority: 19,
          },
        ]
      : [];
  return [first, ...modelTrouble, ...(checking ? [] : [checkItem(CHECK_AGAIN)])];
}

function checkItem(phrase: typeof CHECK): ItemSpec {
  return {
    text: `$(${phrase.icon}) ${phrase.text}`,
    tooltip: KEY_HINT,
    label: `CRANE: ${phrase.text}. ${KEY_HINT}`,
    command: "crane.check",
    priority: 10,
  };
}

function noteItems(notes: readonly OriginNote[]): ItemSpec[] {
  const first = notes[0];
  if (!first) {
    return [];
  }
  const names = [...new Set(notes.map((note) => note.variable))];
  const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
  const words = [...new Set(notes.map((note) => note.words))].join("\n");
  return [
    {
      text: `$(references) Origin of ${shown}`,
      tooltip: `${words}\nSelect to go to the checked cell.`,
      label: `CRANE: this cell is an origin. ${words.replaceAll("\n", ". ")}`,
      command: "crane.goToTarget",
      priority: 5,
    },
  ];
}

/** What the panel shows, as plain JSON: made by the extension, drawn by the webview. */

export type Tone = "certain" | "predicted" | "fine" | "quiet" | "unreadable" | "stale" | "checking";

/** A place that a link in the panel jumps to. */
export interface Jump {
  key: string;
  line: number | null;
}

export interface HeadView {
  tone: Tone;
  icon: string;
  text: string;
  badge: string;
  meaning: string;
  /** Why it is stale, in a sentence; null while fresh. */
  stale: string | null;
}

export interface CodeLine {
  number: number;
  text: string;
  /** UTF-16 columns of the part that crashes, on the crashing lines. */
  mark: { start: number; end: number } | null;
}

export interface CrashView {
  /** Certain and predicted never look alike. */
  certain: boolean;
  exception: string | null;
  message: string | null;
  lines: CodeLine[];
  jump: Jump;
  suggestion: string | null;
}

export interface StepView {
  words: string;
  place: string;
  detail: string;
  code: string | null;
  /** Known from the history only, from before CRANE was recording. */
  fromHistory: boolean;
  jump: Jump | null;
}

export interface OriginView {
  variable: string;
  steps: StepView[];
}

export interface RunView {
  order: number | null;
  name: string;
  role: "plain" | "origin" | "target";
  failed: boolean;
  variables: string[];
  jump: Jump | null;
}

export interface VariableRow {
  name: string;
  depth: number;
  kind: string;
  shape: string;
  dtype: string;
  notes: string;
}

export interface TextView {
  title: string;
  text: string;
}

export interface OutgoingView {
  destination: string;
  model: string;
  tokens: number;
  texts: TextView[];
  leftOut: string[];
  needsConsent: boolean;
  /** What else the same consent covers, in words; null: nothing has to be made. */
  environment: string | null;
  /** The button that agrees. */
  agree: string;
  recordId: number;
}

export interface ProblemView {
  message: string;
  hint: string;
  waysOut: string[];
}

export interface CellView {
  key: string;
  name: string;
  head: HeadView;
  checking: boolean;
  reasoning: string;
  crash: CrashView | null;
  origins: OriginView[];
  runs: RunView[];
  variables: VariableRow[];
  leftOut: string[];
  outgoing: OutgoingView | null;
  /** What the checks established line by line, and where they lost track. */
  facts: { line: number; text: string; lost: boolean }[];
  trace: TextView[];
  traceNote: string;
  figures: { label: string; value: string }[];
  /** Whether there is something that a model would be sent. */
  canPreview: boolean;
  problem: ProblemView | null;
}

export interface OverviewRow {
  key: string;
  name: string;
  tone: Tone;
  icon: string;
  text: string;
  current: boolean;
}

export interface PanelView {
  notebook: string;
  useModel: boolean;
  includeRuntime: boolean;
  cell: CellView | null;
  /** Said when there is no cell to show. */
  notice: string;
  /** The cells of the last “Check all”. */
  overview: { title: string; rows: OverviewRow[] } | null;
  /** The person asked for all cells last, not for this one. */
  overviewFirst: boolean;
}

export type FromPanel =
  | { type: "ready" }
  | { type: "switch"; name: "useModel" | "includeRuntime"; value: boolean }
  | { type: "jump"; jump: Jump }
  | { type: "show"; key: string }
  | { type: "check" | "cancel" | "preview" | "applySuggestion"; key: string }
  | { type: "consent"; recordId: number; agreed: boolean }
  | { type: "wayOut"; key: string; index: number };

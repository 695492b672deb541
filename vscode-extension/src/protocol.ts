// Written by `python -m crane_bridge.typescript`. Do not edit: change crane_bridge/protocol.py instead.

export const PROTOCOL_VERSION = 1;
export const MIME_REPLY = "application/vnd.crane.reply+json";
export const MIME_END = "application/vnd.crane.end+json";
export const MIME_REFUSAL = "application/vnd.crane.refusal+json";
export const REQUEST_CANCELLED = -32800;
export const REQUEST_FAILED = -32803;

/** A cell that ran (or would have to run), with the text that it had then. */
export interface CellRef {
  id: string | null;
  /** Execution count of its last run; null if it never ran */
  order: number | null;
  source: string;
  /** False: known from the history alone, from before recording began */
  recorded: boolean;
  /** How often it ran in a row; reruns are one step */
  runs: number;
}

/** One thing that a cell did to a variable. */
export interface OriginStep {
  action: "assigned" | "modified" | "possibly_modified" | "deleted" | "would_define";
  cell: CellRef;
  /** 1-based line in that cell */
  line: number | null;
  detail: string;
  reason: "not_run" | "raised_before" | "edited_since" | "branch_not_run" | null;
}

/** The cells that made a variable what it is, in the order in which they ran. */
export interface Origin {
  variable: string;
  steps: OriginStep[];
}

/** A replacement for a range of the target cell. Lines are 1-based, columns 0-based characters. */
export interface Suggestion {
  title: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
}

/** Tokens of one model call, as the endpoint counts them. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
}

/** What one of the two judges says about the target cell. */
export interface Verdict {
  outcome: "crash" | "no_crash" | "nothing_certain" | "unreadable";
  source: "checker" | "model";
  model: string | null;
  /** Name of the exception class, such as "KeyError" */
  exception: string | null;
  /** The message as Python will show it */
  message: string | null;
  /** 1-based, in the cell as typed */
  line: number | null;
  /** 0-based, in characters */
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  reasoning: string;
  variables: string[];
  rule: string | null;
  suggestion: Suggestion | null;
  origins: Origin[];
  seconds: number;
  usage: Usage | null;
}

export interface Column {
  name: string;
  dtype: string;
  notes: string[];
}

/** One variable of the kernel, as far as the target cell uses it. */
export interface Variable {
  name: string;
  kind: string;
  type: string;
  shape: string | null;
  dtype: string | null;
  notes: string[];
  columns: Column[] | null;
  fields: Variable[] | null;
  sampled: boolean;
}

/** The variables that the target cell uses; `text` is the same for a model to read. */
export interface Summary {
  variables: Variable[];
  text: string;
  left_out: string[];
}

/** A cell that has run in this kernel. */
export interface ExecutedCell {
  id: string | null;
  order: number | null;
  source: string;
  success: boolean | null;
  recorded: boolean;
  runs: number;
}

export interface LostLine {
  line: number;
  what: string;
}

export interface Fact {
  line: number;
  text: string;
}

/** How far the checker followed the target cell on exact values; a figure to steer by, not a verdict. */
export interface Walk {
  followed: number;
  complete: boolean;
  lost: LostLine[];
  facts: Fact[];
}

export interface InspectSeconds {
  check: number;
  summary: number;
  origins: number;
  total: number;
}

export interface KernelInfo {
  python: string;
  ipython: string;
  crane: string;
  recorder: boolean;
  guard: boolean;
}

/** What `crane_llm.inspect_cell` answers. */
export interface Inspection {
  version: number;
  verdict: Verdict;
  summary: Summary | null;
  origins: Origin[];
  executed: ExecutedCell[];
  walk: Walk | null;
  used: string[];
  seconds: InspectSeconds;
  kernel: KernelInfo;
}

export interface NotebookCell {
  id?: string | null;
  source: string;
}

/** Parameters of the kernel's method `inspect`. */
export interface InspectParams {
  source: string;
  /** Code cells as they are now, in notebook order */
  cells?: NotebookCell[] | null;
  target_id?: string | null;
  check?: boolean;
  summary?: boolean;
  categories?: string;
  schema_only?: boolean;
  hide_names?: boolean;
  /** Seconds for the checker */
  deadline?: number | null;
  /** Values that a check may read one by one; null: the kernel's own limit */
  scan_limit?: number | null;
  tags?: string[];
}

export interface GuardParams {
  /** Null asks without changing anything */
  on?: boolean | null;
}

export interface GuardResult {
  on: boolean;
  armed: boolean;
}

/** What the call statement hands to the mounted package, as JSON text. */
export interface KernelRequest {
  id: string;
  method: "inspect" | "guard" | "recorder" | "ping" | "forget";
  params?: Record<string, unknown>;
}

export interface KernelError {
  type: string;
  message: string;
}

/** Data of the display with mime type `MIME_REPLY`: one of result, error or missing. */
export interface KernelReply {
  id: string;
  result: unknown | null;
  error: KernelError | null;
  missing: boolean | null;
}

/** Data of the display with mime type `MIME_END`, sent last: without it the answer is not whole. */
export interface KernelEnd {
  id: string;
}

/** Data of the display with mime type `MIME_REFUSAL`: the guard did not let the cell run. */
export interface Refusal {
  verdict: Verdict;
  origins: Origin[];
}

/** Settings of a model call that the editor knows. Null: the bridge looks further, in the documented order. */
export interface Settings {
  model?: string | null;
  /** Null or empty: OpenAI itself */
  base_url?: string | null;
  /** A key given for this very call; wins over every other source */
  api_key?: string | null;
  api_style?: "responses" | "chat" | null;
  /** Seconds for one attempt, from connecting to the last byte */
  timeout_s?: number | null;
  max_retries?: number | null;
  /** Null: found out once per endpoint */
  structured?: boolean | null;
  reasoning_effort?: string | null;
  /** Largest prompt, in estimated tokens */
  token_budget?: number | null;
  /** Folder from which .env files are looked for upwards; null in a workspace that is not trusted */
  cwd?: string | null;
  /** Key from the editor's secret storage, for stored_key_host */
  stored_key?: string | null;
  stored_key_host?: string | null;
  /** Hosts to which the person agreed to send any of the keys */
  confirmed_hosts?: string[];
}

export interface InitializeParams {
  client_version: string;
}

export interface InitializeResult {
  version: string;
  protocol: number;
  python: string;
  /** Installed extras, such as "model" and "cli" */
  features: string[];
}

export interface Target {
  id?: string | null;
  source: string;
}

/** Parameters of `preview` and `predict`; what `inspect` answered is passed on as it is. */
export interface PredictParams {
  /** Chosen by the editor; comes back in the stage notifications */
  id: string;
  target: Target;
  executed?: ExecutedCell[];
  summary?: Summary | null;
  walk?: Walk | null;
  include_runtime?: boolean;
  schema_only?: boolean;
  /** True: ask again even if the same question was answered in this session */
  fresh?: boolean;
  settings?: Settings;
}

/** The exact text that is sent. */
export interface Prompt {
  system: string;
  user: string;
}

export interface PreviewResult {
  prompt: Prompt;
  /** Estimated */
  tokens: number;
  left_out: string[];
  /** The host that the prompt would be sent to */
  destination: string;
  model: string;
}

export interface PredictResult {
  verdict: Verdict;
  prompt: Prompt;
  raw_reply: string;
  model: string;
  destination: string;
  usage: Usage | null;
  seconds: number;
  cached: boolean;
  left_out: string[];
}

export interface ModelsParams {
  settings?: Settings;
}

export interface ModelsResult {
  models: string[];
}

export interface ConfigParams {
  /** Null in a workspace that is not trusted */
  cwd?: string | null;
  settings?: Settings;
}

export interface ConfigEntry {
  name: string;
  /** Keys are masked */
  value: string | null;
  /** Where the value came from, in words */
  source: string;
}

export interface ConfigResult {
  entries: ConfigEntry[];
  destination: string;
  has_key: boolean;
  /** True: a model call would not fail for want of settings */
  ready: boolean;
  /** What is wrong with the settings, in words */
  problem: string | null;
}

export interface TestKeyParams {
  settings?: Settings;
}

export interface TestKeyResult {
  ok: boolean;
  message: string;
}

export interface ParseReplyParams {
  raw: string;
  target: Target;
  model?: string | null;
}

export interface ParseReplyResult {
  verdict: Verdict;
}

export type Stage =
  | "building_prompt"
  | "waiting_for_model"
  | "retrying"
  | "reading_reply";

/** Notification `stage` from the bridge. */
export interface StageParams {
  id: string;
  stage: Stage;
  detail: string;
}

export type ErrorKind =
  | "auth"
  | "model_unknown"
  | "rate_limit"
  | "timeout"
  | "network"
  | "server"
  | "not_api"
  | "no_key"
  | "settings"
  | "internal";

/** `data` of a JSON-RPC error: what kind it is, and what the person can do. */
export interface ErrorData {
  kind: ErrorKind;
  hint: string;
}

/** Parameters and result of each request to the bridge. */
export interface Requests {
  initialize: { params: InitializeParams; result: InitializeResult };
  preview: { params: PredictParams; result: PreviewResult };
  predict: { params: PredictParams; result: PredictResult };
  models: { params: ModelsParams; result: ModelsResult };
  config: { params: ConfigParams; result: ConfigResult };
  testKey: { params: TestKeyParams; result: TestKeyResult };
  parseReply: { params: ParseReplyParams; result: ParseReplyResult };
  shutdown: { params: null; result: null };
}

/** Parameters of each notification from the bridge. */
export interface Notifications {
  stage: StageParams;
}

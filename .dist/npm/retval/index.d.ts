/** One of the six steps. */
export interface Step {
  step: "json" | "fields" | "status" | "session" | "summary" | "artifacts";
  outcome: "pass" | "fail" | "skip";
  /** Why it was skipped. */
  reason: string | null;
}

/** One place where the return breaks a rule: `line` and `column` from 1, `offset` and `length` in bytes. */
export interface Finding {
  rule: string;
  level: "error" | "warning";
  message: string;
  help: string;
  pointer: string | null;
  line: number;
  column: number;
  offset: number;
  length: number;
  /** What was probably meant. It is part of `help`, too. */
  suggestion?: string;
}

/** A file that the return claims, and what was found in its place. */
export interface Artifact {
  path: string;
  type: string | null;
  summary: string | null;
  state: "ok" | "empty" | "not-found" | "not-a-file" | "outside-root" | "invalid-path" | "unreadable" | "unchecked";
  bytes: number | null;
}

/** What the orchestrator should do. */
export interface Next {
  action: "proceed" | "resume" | "retry" | "ask" | "stop" | "end" | "open";
  agent: string | null;
}

/** How far the agent came, as the return says. */
export interface Progress {
  stage: string | null;
  details: string | null;
  phases_completed: number | null;
  phases_total: number | null;
}

/** An error that the return itself lists. */
export interface ReturnedError {
  type: string | null;
  message: string | null;
  code: string | null;
  recoverable: boolean | null;
  recommendation: string | null;
}

/** The client's output that the return was taken out of. */
export interface Envelope {
  kind: string;
  pointer: string;
  /** The line of an event stream, from 1. */
  line: number | null;
}

/** What the evidence says of one claim. */
export interface Claim {
  rule: string;
  claim: string;
  pointer: string;
  file: string | null;
  value: "shown" | "contradicted" | "unknown";
  reason: string;
}

/** What the record of an agent's run shows. Null is what it does not show. */
export interface Receipt {
  ended: "answered" | "output-limit" | "turn-limit" | "limit" | "error" | "interrupted" | "not-started" | "nothing" | null;
  calls: number | null;
  files_written: number | null;
  /** The first of these files. */
  written: string[];
  files_read: number | null;
  commands: number | null;
  tests: {
    runner: string;
    passed: boolean;
    failed: number | null;
    ran: number | null;
    code_changed_after: boolean | null;
  } | null;
  commits: number | null;
  seconds: number | null;
  uncommitted: number | null;
  work_tree: string | null;
  /** Files that the report names, and that are not there. */
  not_there: string[];
}

/** The record of `retval check --format jsonl`. */
export interface Report {
  version: 1;
  source: string;
  line: number | null;
  id?: string;
  profile: string;
  valid: boolean;
  error: string | null;
  status: string | null;
  session_id: string | null;
  agent_type: string | null;
  delegation_depth: number | null;
  delegation_path: string[];
  summary: string | null;
  summary_tokens: number | null;
  duration_seconds: number | null;
  next: Next;
  /** Whether every error is recoverable; null without errors. */
  recoverable: boolean | null;
  next_steps: string | null;
  partial_progress: Progress | null;
  completion_data: Record<string, unknown> | null;
  counts: Record<string, number | null> | null;
  /** The other members of a handoff file. */
  handoff?: Record<string, unknown>;
  errors: ReturnedError[];
  steps: Step[];
  findings: Finding[];
  /** How many findings are not listed. */
  findings_omitted?: number;
  /** Where the return is invalid, and the baseline accepts all that fails it. */
  accepted?: true;
  envelope?: Envelope;
  artifacts: Artifact[];
  /** Only with evidence. */
  evidence?: Claim[];
  /** Only with a record of the agent's run. */
  receipt?: Receipt;
}

/** Options of `retval check`, in camel case. */
export interface CheckOptions {
  agent?: string | null;
  agentId?: string | null;
  baseline?: string | null;
  config?: string | null;
  errorsJson?: string | null;
  evidence?: "off" | "warn" | "fail" | "require" | null;
  extract?: boolean;
  failFast?: boolean;
  given?: string | readonly string[];
  group?: string | null;
  maxBytes?: number | string | null;
  noConfig?: boolean;
  profile?: string | null;
  rev?: string | null;
  /** `RULE=LEVEL`, such as `json-wrapped=off`. */
  rule?: string | readonly string[];
  /** The folder that artifact paths are relative to. The default is the current one. */
  root?: string | null;
  schema?: string | null;
  /** The session id that was handed out. */
  session?: string | null;
  since?: string | null;
  strict?: boolean | "required";
  transcript?: string | null;
  /** Ends the check, which then rejects with an `AbortError`: `AbortSignal.timeout(1000)` is a time limit. */
  signal?: AbortSignal;
}

/** Something could not be checked. The message is that of the program. */
export class RetvalError extends Error {}

/**
 * Checks a return: the whole text, a string as UTF-8, bytes as they are. Rejects with a
 * `RetvalError` if it cannot be checked. At most two processes for each core run at the same time;
 * further calls wait for them.
 */
export function check(text: string | Uint8Array, options?: CheckOptions): Promise<Report>;

/** The path of the program. Throws if there is none for this system. */
export function program(): string;

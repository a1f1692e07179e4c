/** One of the six steps. */
export interface Step {
  step: "json" | "fields" | "status" | "session" | "summary" | "artifacts";
  outcome: "pass" | "fail" | "skip";
  reason: string | null;
}

/** One place where the return breaks a rule. */
export interface Finding {
  rule: string;
  level: "error" | "warning";
  message: string;
  help: string | null;
  /** RFC 6901. */
  pointer: string | null;
  /** From 1. */
  line: number | null;
  /** In characters, from 1. */
  column: number | null;
  /** In bytes, from 0. */
  offset: number | null;
  /** In bytes. */
  length: number | null;
}

/** A file that the return claims, and what was found in its place. */
export interface Artifact {
  path: string | null;
  type: string | null;
  summary: string | null;
  state: string;
  bytes: number | null;
}

/** What the orchestrator should do. */
export interface Next {
  action: "proceed" | "resume" | "retry" | "ask" | "stop";
  agent: string | null;
}

/** The record of `retval check --format jsonl`. `retval schema --target report` describes all of it. */
export interface Report {
  version: number;
  valid: boolean;
  profile: string;
  status: string | null;
  session_id: string | null;
  agent_type: string | null;
  summary_tokens: number | null;
  next: Next | null;
  steps: Step[];
  findings: Finding[];
  artifacts: Artifact[];
  [member: string]: unknown;
}

/** The value of an option: `true` for a switch, an array for one that is repeated. */
export type Option = string | number | boolean | null | undefined | readonly string[];

export interface CheckOptions {
  /** The session id that was handed out. */
  session?: string;
  /** The folder that artifact paths are relative to. The default is the current one. */
  root?: string;
  /** Any other option of `retval check`, in camel case. */
  [option: string]: Option;
}

/** The return could not be checked. The message is that of the program. */
export class RetvalError extends Error {}

/**
 * Checks a return: the whole text, a string as UTF-8, bytes as they are. Rejects with a
 * `RetvalError` if it cannot be checked.
 */
export function check(text: string | Uint8Array, options?: CheckOptions): Promise<Report>;

/** The path of the program. Throws if there is none for this system. */
export function program(): string;

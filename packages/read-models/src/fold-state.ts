import type { ToolCallStatus } from "@yagate/protocol";

/** A call that has not ended. */
export interface OpenCall {
  readonly tool: string;
  readonly status: ToolCallStatus;
  /** ms since the epoch. */
  readonly requestedAt: number;
  /** Attempts so far, including the current one. */
  readonly attempts: number;
  /** The code of the latest failure; null if there is none. */
  readonly code: string | null;
  /** Whether the tool is a handler; absent in states from before handlers were measured. */
  readonly isHandler?: boolean;
  /** The URL of the handler that the current attempt calls; absent for other tools, and before the first attempt. */
  readonly handler?: string | undefined;
}

/** What the fold of an execution keeps for its next events. */
export interface FoldState {
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** The wait that the last event started; null if the execution is not waiting. `since`: ms since the epoch. */
  readonly waiting: { readonly reason: string; readonly since: number } | null;
  /** The tokens and the cost that were counted. */
  readonly counted: { readonly inputTokens: number; readonly outputTokens: number; readonly usd: number };
}

const INITIAL: FoldState = { calls: {}, waiting: null, counted: { inputTokens: 0, outputTokens: 0, usd: 0 } };

/** Returns the state that the previous fold returned as JSON, or that of a new execution. */
export function parseFoldState(json: string | null): FoldState {
  return json === null ? INITIAL : (JSON.parse(json) as FoldState);
}

import type { InputQuestion, JsonValue, RecordedAnswers } from "@yagate/protocol";

/** The reason why a call has no result, in words that the model may read. */
export interface Failure {
  /** One of the gateway's codes, or one that the handler chose. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: JsonValue;
  readonly source: "gateway" | "handler";
  /** Whether another attempt could succeed. The state machine decides whether one is allowed. */
  readonly isRetryable: boolean;
  /**
   * `none` if the call was not sent or was rejected, or if a complete response reported its failure. `unknown` in all
   * other cases.
   */
  readonly outcome: "none" | "unknown";
  /** The wait that the response requested with `Retry-After`. */
  readonly retryAfterMs?: number;
  /** A message for the log only. */
  readonly developerMessage?: string;
}

/** What a tool requires before it continues a call. */
export interface RequiredInput {
  /** Empty if the tool only has to be called again. */
  readonly questions: readonly InputQuestion[];
  /** What the tool wants to receive back, unchanged. */
  readonly requestState?: string;
}

/** What continues a call: a person's answers by the keys of the questions, and the state of the round. */
export interface CallContinuation {
  readonly answers: RecordedAnswers;
  readonly requestState?: string;
}

/** A task in which the server of a tool continues a call. */
export interface CreatedTask {
  readonly id: string;
  /** Time in ms until the server may discard the task; null if it never does. */
  readonly ttlMs: number | null;
  /** The interval of requests about the task, in ms. */
  readonly pollIntervalMs: number;
}

/**
 * What a request about a task tells. `questions` are those that were not asked before; `deliveredRound` is the round
 * whose answers the server has; `isCancelled`, that the server was asked to cancel the task, as far as it could be.
 */
export type TaskOutcome =
  | { readonly result: JsonValue }
  | { readonly failure: Failure }
  | { readonly questions: readonly InputQuestion[] }
  | { readonly deliveredRound: number }
  | { readonly isCancelled: true };

/**
 * What a call returns. `pending` means that the tool is asynchronous and delivers its result by callback;
 * `task`, that a server continues the call; `inputRequired`, that the call must be continued with input. Only a continued
 * call may return `inputExpired`: the tool no longer accepts the state of the round and has done nothing. Only a resumed
 * call may return `resumptionLost`: the response to the attempt before it can no longer be read.
 */
export type CallAnswer =
  | {
      readonly result: JsonValue;
      /** Names of the deferred tools that a search has found; default: none. */
      readonly foundTools?: readonly string[];
    }
  | { readonly failure: Failure }
  | { readonly pending: true }
  | { readonly task: CreatedTask }
  | { readonly inputRequired: RequiredInput }
  | { readonly inputExpired: true }
  | { readonly resumptionLost: true };

/** The target of a call, as its record shows it. */
export interface CallTarget {
  readonly method: string;
  readonly url: string;
  /** Name of the secret that the request contains; several names are separated by commas. */
  readonly credential?: string;
  /** Present for a call of a tool of an MCP server: the method, and the name of the tool source. */
  readonly mcp?: { readonly method: string; readonly server: string };
}

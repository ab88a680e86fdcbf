import type { AskModel } from "@yagate/builtins/ask-model";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import type { ApprovalRequest, Cost, JsonObject, JsonValue, RecordedMessage, Timings } from "@yagate/protocol";

/** A call that was admitted: its arguments are valid and the policy allows it. */
export interface ToolCall {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** 1 for the first. */
  readonly attempt: number;
  readonly caller?: JsonObject;
  /** The trace of the execution; absent if it was started outside any trace. */
  readonly trace?: TraceContext;
  /** For a primitive: its position among the execution's primitive calls, from 1; absent outside executions. */
  readonly primitiveOrdinal?: number;
  /** An earlier attempt was charged already. */
  readonly isPaid?: boolean;
  /** Names of the secrets whose values the model wrote into the arguments, where `***NAME***` stands now. */
  readonly leakedSecrets?: readonly string[];
}

/** When an asynchronous call was first sent, and until when its callback is accepted; the same for all its attempts. */
export interface CallbackTimes {
  /** ms since the epoch, as below. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A response that arrived after its attempt had timed out. Its body was discarded. */
export interface LateResponse {
  readonly httpStatus: number;
  /** From the start of the attempt, as its `durationMs`, to the end of the response. */
  readonly elapsedMs: number;
  /** Size of its body on the wire. */
  readonly responseBytes: number;
}

/** The bounds of one attempt, and the functions that it calls. It is passed unchanged to the sender. */
export interface CallContext {
  /** The hash of the request that a person approved. Any other request ends with `POLICY_DENIED`. */
  readonly approvedHash?: string;
  /** For a call whose result may arrive by callback. */
  readonly callback?: CallbackTimes;
  /** ms since the epoch. */
  readonly deadline: number;
  /**
   * ms since the epoch: the end of the execution's time. Waiting for an endpoint's concurrency slot moves `deadline`, but
   * never past this; default `deadline`, so that waiting uses up the budget.
   */
  readonly latestDeadline?: number;
  /** Aborting ends the attempt with `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Aborting ends the attempt with `CANCELLED` as long as nothing has left; afterwards it has no effect. */
  readonly unsentSignal?: AbortSignal;
  /** Called immediately before the bytes leave. If it throws, nothing leaves and the error is passed on. */
  readonly beforeSend: () => void;
  /** Called with true when the attempt starts to wait for a concurrency slot of its endpoint, with false when it stops. */
  readonly onQueued?: (isQueued: boolean) => void;
  /** If the endpoint's queue is full, `execute` rejects with a `QueueFullError` instead of failing; default false. */
  readonly isPostponable?: boolean;
  /** Asks the agent's model; absent if the model can't answer tools. */
  readonly askModel?: AskModel;
  /**
   * Called at most once, when a response arrives after the attempt ended with `TIMEOUT`. Not called if `signal` was
   * aborted in between.
   */
  readonly onLateAnswer?: (late: LateResponse) => void;
}

/** Why a call has no result, in words that the model may read. */
export interface Failure {
  /** A gateway code, or the handler's own. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: JsonValue;
  readonly source: "gateway" | "handler";
  /** Whether another attempt could help at all. Whether one is allowed is the machine's decision. */
  readonly isRetryable: boolean;
  /** `none`: it never left, was refused, or the handler reported in full that it failed. */
  readonly outcome: "none" | "unknown";
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
  /** For the log only. */
  readonly developerMessage?: string;
}

/** `pending`: the tool is asynchronous and sends its result by callback. */
export type CallAnswer = { readonly result: JsonValue } | { readonly failure: Failure } | { readonly pending: true };

/** What went over the network for one attempt, without secrets. */
export interface CallExchange {
  readonly durationMs: number;
  readonly timings: Timings;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly request: RecordedMessage;
  readonly response: RecordedMessage | null;
  /** Secrets by their names; absent if the tool's `targetOf` returns the URL. */
  readonly url?: string;
}

/** The outcome of one attempt. */
export interface ToolOutcome {
  readonly answer: CallAnswer;
  readonly cost: Cost;
  readonly exchange?: CallExchange;
}

/** Where a call goes, as its record shows it. */
export interface CallTarget {
  readonly method: string;
  readonly url: string;
  /** Name of the secret that the request carries; several are separated by commas. */
  readonly credential?: string;
}

/** What a person reads about a call before it may run, and its hash. */
export interface Rendering {
  /** The request that would be sent; null for a tool that runs inside the gateway. */
  readonly request: ApprovalRequest | null;
  /** `sha256:` and hex: over everything that would be sent except what differs between attempts, and the tool's definition. */
  readonly hash: string;
}

/**
 * Runs the calls of one tool of any kind. Rejects only with the error of `beforeSend`, or with a `QueueFullError` if the
 * call is postponable.
 */
export interface ToolExecutor {
  /** Describes the call without running it. The same call always has the same hash. */
  render(call: ToolCall): Promise<Rendering>;
  execute(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
}

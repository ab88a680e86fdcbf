import type { AskModel } from "@yagate/builtins/ask-model";
import type { CallAnswer, CallContinuation, Failure, TaskOutcome } from "@yagate/execution-machine/call-outcome";
import type { CancelSignal } from "@yagate/lib/async/cancellation";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import type {
  ApprovalRequest,
  Cost,
  JsonObject,
  RecordedAnswers,
  RecordedMessage,
  Resumption,
  Timings,
} from "@yagate/protocol";

/** An admitted call: its arguments are valid, and the policy allows it. */
export interface ToolCall {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly caller?: JsonObject;
  /** The trace of the execution; absent if the execution was started without one. */
  readonly trace?: TraceContext;
  /**
   * For a primitive: the number of this call in the sequence of the execution's calls to primitives, starting at 1;
   * absent outside executions.
   */
  readonly primitiveOrdinal?: number;
  /** Whether the call was already charged for an earlier attempt. */
  readonly isPaid?: boolean;
  /**
   * Names of the secrets whose values the model wrote into the arguments. The arguments contain `***NAME***` instead.
   */
  readonly leakedSecrets?: readonly string[];
  /** Continues a call that required input; absent if the attempt starts the call. */
  readonly continuation?: CallContinuation;
  /** Only the response to the attempt before is read; absent if the attempt calls the tool. */
  readonly resumption?: Resumption;
}

/**
 * The time when an asynchronous call was first sent, and the time until which its callback is accepted. All attempts of
 * the call with one capability share them.
 */
export interface CallbackTimes {
  /** In ms since the epoch, like `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Number of times that the call has moved to another capability; default 0. */
  readonly moves?: number;
}

/** A response that arrived after its attempt had timed out. Its body was discarded. */
export interface LateResponse {
  readonly httpStatus: number;
  /** Time in ms from the start of the attempt to the end of the response. */
  readonly elapsedMs: number;
  /** Size of the response body in bytes, as received. */
  readonly responseBytes: number;
}

/**
 * The bounds of one attempt, and the functions that the attempt calls. The executor passes them to the sender
 * unchanged.
 */
export interface CallContext {
  /** Hash of the request that a person approved. A call with any other request fails with `POLICY_DENIED`. */
  readonly approvedHash?: string;
  /** The callback's times, for a call whose result may arrive by callback. */
  readonly callback?: CallbackTimes;
  /** Deadline of the attempt, in ms since the epoch. */
  readonly deadline: number;
  /**
   * Time at which the execution reaches its time limit, in ms since the epoch. Waiting for a concurrency slot of the
   * endpoint extends `deadline`, but never past this time. Default: `deadline`, so that the wait counts as part of the
   * attempt.
   */
  readonly latestDeadline?: number;
  /**
   * Ends the attempt with `CANCELLED` when aborted. `toAbortSignal` converts it for other APIs. With the reason
   * `HANDED_OVER`, another process may resume the call.
   */
  readonly signal: CancelSignal;
  /** Ends the attempt with `CANCELLED` when aborted before a byte was sent; has no effect afterwards. */
  readonly unsentSignal?: CancelSignal;
  /** Called immediately before the first byte is sent. If it throws, nothing is sent and the error is rethrown. */
  readonly beforeSend: () => void;
  /**
   * Called with true when the attempt starts to wait for a concurrency slot of its endpoint, and with false when the
   * wait ends.
   */
  readonly onQueued?: (isQueued: boolean) => void;
  /**
   * Returns why a call may no longer be sent; undefined if it may. Called after a wait for a concurrency slot, because
   * the answer may have changed in the meantime.
   */
  readonly refusalAfterWait?: () => Promise<Failure | undefined>;
  /**
   * Whether `execute` rejects with a `QueueFullError` if the endpoint's queue is full, instead of returning a failure;
   * default false.
   */
  readonly isPostponable?: boolean;
  /** Called when another process could read the response to this attempt, and again when it has read more of it. */
  readonly onResumable?: (resumption: Resumption) => void;
  /** The deferred tools that are loaded, and how many more can be; absent if the execution defers no tools. */
  readonly toolLoading?: { readonly loaded: ReadonlySet<string>; readonly room: number };
  /** Sends a request to the agent's model; absent if tools cannot use the model. */
  readonly askModel?: AskModel;
  /**
   * Called at most once, when a response arrives after the attempt has ended with `TIMEOUT`. Not called if `signal` was
   * aborted in between.
   */
  readonly onLateAnswer?: (late: LateResponse) => void;
}

/** One poll of the task of a call. Times are in ms since the epoch. */
export interface TaskRequest {
  readonly id: string;
  /** `deliver` sends `answers`, unless the server no longer asks for them. */
  readonly step: "poll" | "deliver" | "cancel";
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Time in ms from the creation until the server may discard the task, as last known; null if it never does. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** The keys of the questions that a person was asked before. */
  readonly askedKeys: readonly string[];
  /** Whether the call may ask in one more round. */
  readonly mayAsk: boolean;
  /**
   * Present while a person is asked. Other questions then wait, and the next request comes after at least this time, in
   * ms.
   */
  readonly openQuestion?: { readonly leastDelayMs: number };
  /** The answers of the last round, with its number; absent if there are none to send. */
  readonly answers?: { readonly round: number; readonly byKey: RecordedAnswers };
}

/** What the execution learns from polling a task, or the time of the next poll, in ms since the epoch. */
export type TaskProgress = { readonly outcome: TaskOutcome } | { readonly nextAt: number };

/** The network exchange of one attempt, without secrets. */
export interface CallExchange {
  readonly durationMs: number;
  readonly timings: Timings;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly request: RecordedMessage;
  readonly response: RecordedMessage | null;
  /** The requested URL, with secrets replaced by their names; absent if the tool's `targetOf` returns the URL. */
  readonly url?: string;
}

/** The outcome of one attempt. */
export interface ToolOutcome {
  readonly answer: CallAnswer;
  readonly cost: Cost;
  readonly exchange?: CallExchange;
}

/** The description of a call that a person reads before the call may run, and its hash. */
export interface Rendering {
  /** The request that would be sent; null for a tool that runs inside the gateway. */
  readonly request: ApprovalRequest | null;
  /**
   * `sha256:` and a hash in hex. It covers the tool's definition and everything that would be sent, except what differs
   * between attempts.
   */
  readonly hash: string;
}

/**
 * Runs the calls of one tool of any kind. `execute` rejects only with the error of `beforeSend`, or with a
 * `QueueFullError` if the call is postponable.
 */
export interface ToolExecutor {
  /** Describes the call without running it. The same call always has the same hash. */
  render(call: ToolCall): Promise<Rendering>;
  execute(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
  /**
   * Polls the task of a call once; absent if the tool's calls have no tasks. Rejects only with the error of
   * `beforeSend`, before the server was asked to change anything.
   */
  readonly followTask?: (
    call: ToolCall,
    task: TaskRequest,
    context: Pick<CallContext, "signal" | "beforeSend">,
  ) => Promise<TaskProgress>;
}

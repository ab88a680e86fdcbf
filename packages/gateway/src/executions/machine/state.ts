import {
  type ApprovalResolution,
  type ApprovalStatus,
  type Attempt,
  type Cost,
  DEFAULT_LIMITS,
  type ExecutionError,
  type ExecutionInput,
  type ExecutionStatus,
  type HandlerError,
  type JsonValue,
  type LimitName,
  type Limits,
  type ModelCall,
  type PolicyDecision,
  type Projection,
  type RiskClass,
  type SideEffect,
  type Source,
  type StopReason,
  type Timings,
  type ToolCallStatus,
  type ToolErrorRecord,
  type ToolKind,
  type Usage,
  type Via,
} from "@yagate/protocol";

/** One attempt of a tool call. */
export interface AttemptState {
  readonly id: string;
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly credential?: string;
  readonly startedAt: string;
  readonly isFinished: boolean;
  /** Whether a gateway restart ended the attempt; it then does not count against the tool's retries. */
  readonly isInterrupted: boolean;
  readonly durationMs: number | null;
  readonly timings: Timings | null;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly errorCode?: string;
  readonly outcome?: "none" | "unknown";
  /** The response that arrived after the attempt had been abandoned. */
  readonly lateAnswer?: NonNullable<Attempt["lateAnswer"]>;
}

/** An approval of a call: the request and the decision. */
export interface ApprovalState {
  readonly id: string;
  readonly status: ApprovalStatus;
  /** Until when it can be decided, ms since the epoch. */
  readonly expiresAt: number;
  /** The hash of the request that may be sent. */
  readonly requestHash: string;
  readonly resolution: ApprovalResolution | null;
  /** The model's arguments, if the approver edited them. */
  readonly requestedParameters?: JsonValue;
}

/** The callback of an asynchronous call. */
export interface CallbackState {
  /** The hash of the callback's body. */
  readonly bodyHash: string;
  readonly outcome: { readonly result: JsonValue } | { readonly error: HandlerError };
  /** The owner has acted on it: if the call is still open, it waits for a fallback for the callback's error. */
  readonly isTaken: boolean;
}

export interface CallState {
  readonly id: string;
  readonly turn: number;
  readonly name: string;
  readonly kind: ToolKind | null;
  readonly parameters: JsonValue;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision | null;
  /** Names of the secrets whose values the model wrote into the arguments; the arguments contain `***NAME***` instead. */
  readonly leakedSecrets: readonly string[];
  /** The part of its result that the model reads; undefined: all of it. */
  readonly projection?: Projection | undefined;
  /** Its result is untrusted content. */
  readonly isUntrusted: boolean;
  /** The nonce of the frame in which a model reads its result; undefined in older records. */
  readonly frameNonce?: string | undefined;
  readonly status: ToolCallStatus;
  /** Null if the call needs no approval. */
  readonly approval: ApprovalState | null;
  readonly attempts: readonly AttemptState[];
  /** When the next attempt starts, ms since the epoch. */
  readonly retryAt: number | null;
  /** Until when a callback is accepted, ms since the epoch; null unless its tool is asynchronous. */
  readonly callbackUntil: number | null;
  readonly callback: CallbackState | null;
  /** Until when the caller may supply a fallback, ms since the epoch; null unless the call is held. */
  readonly fallbackUntil: number | null;
  /** The caller's fallback, before the owner acts on it. */
  readonly fallback: { readonly result: JsonValue } | "declined" | null;
  readonly result?: JsonValue;
  /** Length of what a model reads of the result, if it reads it whole. */
  readonly resultCharacters?: number;
  /** Length of what a model reads of the error that ended the call, if it reads it whole. */
  readonly errorCharacters?: number;
  readonly via?: Via;
  readonly error: ToolErrorRecord | null;
  /** The cost of all attempts so far and, once the call has ended, of its model calls. */
  readonly cost: Cost;
  /** The model calls of its tool; known once the call has ended. */
  readonly modelCalls: readonly ModelCall[];
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

export interface TurnState {
  readonly number: number;
  /** The attempt of the model request, from 1. */
  readonly attempt: number;
  /** Whether its model may cost something: every model except the scripted ones. */
  readonly mayCost: boolean;
  /** Failed requests that count against the retries; interruptions by a restart don't. */
  readonly failures: number;
  /** Restarts that interrupted its request or, later, one of its calls that ran inside the gateway. */
  readonly interruptions: number;
  readonly phase: "requested" | "retrying" | "responded";
  readonly retryAt: number | null;
  readonly text: string;
  readonly finishReason: string | null;
  /** The sources of the reply, as the provider names them. */
  readonly sources: readonly Source[];
  /** Names of the provider-run tools whose results came with this turn. */
  readonly hostedTools: readonly string[];
  readonly calls: readonly CallState[];
}

/** An execution, folded from its events. */
export interface ExecutionState {
  readonly executionId: string;
  readonly lastSeq: number;
  readonly status: ExecutionStatus;
  readonly stopReason: StopReason | null;
  readonly input: ExecutionInput | null;
  readonly output: { readonly text: string; readonly sources?: readonly Source[] | undefined } | null;
  readonly error: ExecutionError | null;
  readonly limits: Limits;
  readonly turns: readonly TurnState[];
  readonly usage: Usage;
  readonly cost: Cost;
  /** Estimated tokens of all tool results and errors so far. */
  readonly toolResultTokens: number;
  readonly isCancelRequested: boolean;
  readonly limitReached: { readonly limit: LimitName; readonly message: string } | null;
  /** A hold expired without a fallback: later failures are not held. */
  readonly isFallbackExhausted: boolean;
  /** Time spent running before `runningSince`, in ms. */
  readonly spentMs: number;
  /** When it started to run, ms since the epoch; null while it waits, is queued or has ended. */
  readonly runningSince: number | null;
  /** Time of the last event, ms since the epoch; an interrupted run counts as stopped then. */
  readonly lastEventAt: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** The state of an execution that has no events yet. */
export function initialState(executionId: string): ExecutionState {
  return {
    executionId,
    lastSeq: 0,
    status: "queued",
    stopReason: null,
    input: null,
    output: null,
    error: null,
    limits: DEFAULT_LIMITS,
    turns: [],
    usage: { inputTokens: 0, outputTokens: 0, toolCalls: 0 },
    cost: { usd: 0, credits: 0 },
    toolResultTokens: 0,
    isCancelRequested: false,
    limitReached: null,
    isFallbackExhausted: false,
    spentMs: 0,
    runningSince: null,
    lastEventAt: null,
    startedAt: null,
    finishedAt: null,
  };
}

const CLOSED: ReadonlySet<ToolCallStatus> = new Set(["completed", "failed", "denied", "cancelled"]);

/** Whether a call has ended. */
export function isClosed(call: CallState): boolean {
  return CLOSED.has(call.status);
}

/** Whether the call waits for an approval, or for the owner to act on the decision. */
export function isWaitingForApproval(call: CallState): boolean {
  return call.status === "waiting_approval";
}

/** Whether the call waits for its callback, with no attempt running. */
export function isWaitingForCallback({ status }: CallState): boolean {
  return status === "waiting_callback";
}

/** Whether an attempt of this call is running. */
export function hasRunningAttempt(call: CallState): boolean {
  return call.attempts.at(-1)?.isFinished === false;
}

/** The running attempt, if any. */
export function runningAttempt(call: CallState): AttemptState | undefined {
  const last = call.attempts.at(-1);
  return last?.isFinished === false ? last : undefined;
}

/** The time that the execution has spent running, in ms. */
export function spentMs(state: ExecutionState, now: number): number {
  return state.spentMs + (state.runningSince === null ? 0 : Math.max(0, now - state.runningSince));
}

/** The rest of the wall time, in ms. */
export function remainingWallMs(state: ExecutionState, now: number): number {
  return Math.max(0, state.limits.maxWallTimeMs - spentMs(state, now));
}

/** Whether the call exceeded a limit of its turn: it never ran, and says nothing about its tool. */
export function exceededTurnLimit({ error }: CallState): boolean {
  return error?.code === "BUDGET_EXCEEDED" && error.source === "gateway";
}

/** Whether the execution starts nothing new, because it is being cancelled or has reached a limit. */
export function isClosing({ isCancelRequested, limitReached }: ExecutionState): boolean {
  return isCancelRequested || limitReached !== null;
}

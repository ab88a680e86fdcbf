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

/** One request of a tool call. Times are ms since the epoch. */
export interface AttemptState {
  readonly id: string;
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly credential?: string;
  readonly startedAt: string;
  readonly isFinished: boolean;
  /** Ended by a crash of the gateway, which does not use up the author's retries. */
  readonly isInterrupted: boolean;
  readonly durationMs: number | null;
  readonly timings: Timings | null;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly errorCode?: string;
  readonly outcome?: "none" | "unknown";
  /** What came after it had been given up. */
  readonly lateAnswer?: NonNullable<Attempt["lateAnswer"]>;
}

/** What a person was asked about a call, and what they said. */
export interface ApprovalState {
  readonly id: string;
  readonly status: ApprovalStatus;
  /** Until when they may answer, ms since the epoch. */
  readonly expiresAt: number;
  /** Of what may be sent. */
  readonly requestHash: string;
  readonly resolution: ApprovalResolution | null;
  /** What the model had asked for, when whoever approved edited it. */
  readonly requestedParameters?: JsonValue;
}

/** What was brought of an asynchronous call. */
export interface CallbackState {
  /** Of the body that brought it. */
  readonly bodyHash: string;
  readonly answer: { readonly result: JsonValue } | { readonly error: HandlerError };
  /** The owner has acted on it: what is still open of the call is the caller's answer to its error. */
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
  /** Secrets whose values the model had written into the arguments, where now `***NAME***` stands. */
  readonly leakedSecrets: readonly string[];
  /** What of its result the model reads; undefined: all of it. */
  readonly projection?: Projection | undefined;
  /** What it brings was written by others, whom the agent's author does not trust. */
  readonly isUntrusted: boolean;
  /** What marks the frame in which a model reads its result; undefined of calls that were recorded without. */
  readonly frameNonce?: string | undefined;
  readonly status: ToolCallStatus;
  /** Null when nobody had to be asked. */
  readonly approval: ApprovalState | null;
  readonly attempts: readonly AttemptState[];
  /** When the next attempt starts, ms since the epoch. */
  readonly retryAt: number | null;
  /** Until when its outcome may be brought by a callback, ms since the epoch; null unless its tool is asynchronous. */
  readonly callbackUntil: number | null;
  readonly callback: CallbackState | null;
  /** Until when the caller may answer for it, ms since the epoch. */
  readonly fallbackUntil: number | null;
  /** The caller's answer, before the owner has taken it over. */
  readonly fallback: { readonly result: JsonValue } | "declined" | null;
  readonly result?: JsonValue;
  /** Of what a model reads of the result, if it reads it at once. */
  readonly resultCharacters?: number;
  /** Of what a model reads of the error that ended it, if it reads it at once. */
  readonly errorCharacters?: number;
  readonly via?: Via;
  readonly error: ToolErrorRecord | null;
  /** Of all its attempts so far and, once it has ended, of its model calls. */
  readonly cost: Cost;
  /** What its tool asked of the agent's model; known when it has ended. */
  readonly modelCalls: readonly ModelCall[];
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

export interface TurnState {
  readonly number: number;
  /** Of the model request. */
  readonly attempt: number;
  /** Whether its model may cost something, as all but the scripted ones do. */
  readonly mayCost: boolean;
  /** Failed requests that count against the retries; interruptions by a restart do not. */
  readonly failures: number;
  /** Restarts that cut its request short or, once it has calls, found one of them running inside the gateway. */
  readonly interruptions: number;
  readonly phase: "requested" | "retrying" | "responded";
  readonly retryAt: number | null;
  readonly text: string;
  readonly finishReason: string | null;
  /** What the provider says that the answer is drawn from. */
  readonly sources: readonly Source[];
  /** Names of the tools that the provider ran and whose results came with this turn. */
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
  /** A hold went unanswered: this execution asks no more. */
  readonly isFallbackExhausted: boolean;
  /** Time spent running before `runningSince`, in ms. */
  readonly spentMs: number;
  /** ms since the epoch; null while it waits, is queued or has ended. */
  readonly runningSince: number | null;
  /** ms since the epoch; what an interruption ended happened no later than the event before it. */
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

/** Whether a call has its one answer. */
export function isClosed(call: CallState): boolean {
  return CLOSED.has(call.status);
}

/** Whether nothing of this call may be done before a person has answered, or their answer was acted on. */
export function isWaitingForApproval(call: CallState): boolean {
  return call.status === "waiting_approval";
}

/** Whether the result is waited for, and nothing else of the call. */
export function isWaitingForCallback({ status }: CallState): boolean {
  return status === "waiting_callback";
}

/** Whether a request of this call is on its way. */
export function hasRunningAttempt(call: CallState): boolean {
  return call.attempts.at(-1)?.isFinished === false;
}

/** The attempt that is on its way, if any. */
export function runningAttempt(call: CallState): AttemptState | undefined {
  const last = call.attempts.at(-1);
  return last?.isFinished === false ? last : undefined;
}

/** Time that the execution has spent running, in ms. */
export function spentMs(state: ExecutionState, now: number): number {
  return state.spentMs + (state.runningSince === null ? 0 : Math.max(0, now - state.runningSince));
}

/** What is left of the wall time, in ms. */
export function remainingWallMs(state: ExecutionState, now: number): number {
  return Math.max(0, state.limits.maxWallTimeMs - spentMs(state, now));
}

/** A call that was one too many of its turn never ran, and says nothing about its tool. */
export function exceededTurnLimit({ error }: CallState): boolean {
  return error?.code === "BUDGET_EXCEEDED" && error.source === "gateway";
}

/** Whether the execution starts nothing new, because it is being cancelled or has reached a limit. */
export function isClosing({ isCancelRequested, limitReached }: ExecutionState): boolean {
  return isCancelRequested || limitReached !== null;
}

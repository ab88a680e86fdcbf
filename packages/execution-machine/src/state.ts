import {
  type ApprovalResolution,
  type ApprovalStatus,
  type Attempt,
  type CapabilityVersion,
  type Citation,
  type Cost,
  DEFAULT_LIMITS,
  type ExecutionError,
  type ExecutionInput,
  type ExecutionStatus,
  type HandlerError,
  type InputQuestion,
  type InputRequestStatus,
  type JsonValue,
  type LimitName,
  type Limits,
  type ModelCall,
  type PolicyDecision,
  type Projection,
  type RecordedAnswers,
  type Resumption,
  type RiskClass,
  type RouteDecision,
  type SideEffect,
  type Source,
  type StopReason,
  type Timings,
  type ToolCallStatus,
  type ToolDeferral,
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
  /**
   * Whether a restart of the gateway ended the attempt, or took away the response that it was to read. Such an attempt
   * does not count against the tool's retries.
   */
  readonly isInterrupted: boolean;
  /** Set if the attempt only reads the response to the attempt before it. */
  readonly isResumption?: true;
  readonly durationMs: number | null;
  readonly timings: Timings | null;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly errorCode?: string;
  readonly outcome?: "none" | "unknown";
  /** Set if the attempt belongs to a round of questions. Such an attempt does not count against the tool's retries. */
  readonly input?: NonNullable<Attempt["input"]>;
  /** The response that arrived after the attempt had timed out. */
  readonly lateAnswer?: NonNullable<Attempt["lateAnswer"]>;
}

/** The approval of a call: the request and, once it is made, the decision. */
export interface ApprovalState {
  readonly id: string;
  readonly status: ApprovalStatus;
  /** Time until which the approval can be decided, in ms since the epoch. */
  readonly expiresAt: number;
  /** Hash of the request that may be sent. */
  readonly requestHash: string;
  readonly resolution: ApprovalResolution | null;
  /** The model's arguments; present if the approver edited them. */
  readonly requestedParameters?: JsonValue;
}

/** The callback of an asynchronous call. */
export interface CallbackState {
  /** Hash of the callback's body. */
  readonly bodyHash: string;
  readonly outcome: { readonly result: JsonValue } | { readonly error: HandlerError };
  /**
   * Whether the owner has acted on the callback. If the call is still open, it then waits for a fallback for the
   * callback's error.
   */
  readonly isTaken: boolean;
}

/** The latest round in which a call required input. */
export interface InputState {
  /** Number of the round, from 1. */
  readonly round: number;
  readonly status: InputRequestStatus;
  /** Empty if the tool only has to be called again. */
  readonly questions: readonly InputQuestion[];
  readonly requestState?: string;
  /** Time until which the questions can be answered, in ms since the epoch. */
  readonly expiresAt: number;
  /** What the next attempt sends; null while there are no answers, and if the call starts over. */
  readonly answers: RecordedAnswers | null;
}

/** The task in which the server of a tool continues a call. Times are in ms since the epoch. */
export interface TaskState {
  readonly id: string;
  readonly createdAt: number;
  /** Time from the creation until the server may discard the task, in ms; null if it never does. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** Time at which the gateway gives up. */
  readonly expiresAt: number;
  /** The keys of all questions so far. A server may repeat a question until it has handled the answer. */
  readonly askedKeys: readonly string[];
  /** When the last questions were asked, in ms since the epoch; null if the task has asked none. */
  readonly askedAt: number | null;
  /** The last round whose answers need not be sent. */
  readonly deliveredRound: number;
}

export interface CallState {
  readonly id: string;
  readonly turn: number;
  readonly name: string;
  /** The capability that serves the call of an intent's tool; undefined for other tools. */
  readonly capability?: CapabilityVersion | undefined;
  /** Keys of the capabilities that served the call before, and have failed; undefined if there are none. */
  readonly triedCapabilities?: readonly string[];
  /** Number of attempts that these capabilities have made. They do not count against the retries of the current one. */
  readonly earlierAttempts?: number;
  readonly kind: ToolKind | null;
  readonly parameters: JsonValue;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision | null;
  /**
   * Names of the secrets whose values the model wrote into the arguments. The arguments contain `***NAME***` instead.
   */
  readonly leakedSecrets: readonly string[];
  /** The part of the result that the model reads; undefined for the complete result. */
  readonly projection?: Projection | undefined;
  /** Whether the result is untrusted content. */
  readonly isUntrusted: boolean;
  /** Nonce of the frame in which a model reads the result; undefined in older records. */
  readonly frameNonce?: string | undefined;
  readonly status: ToolCallStatus;
  /** Null if the call needs no approval. */
  readonly approval: ApprovalState | null;
  readonly attempts: readonly AttemptState[];
  /** Start of the next attempt, in ms since the epoch; null if none is planned. */
  readonly retryAt: number | null;
  /** Time until which a callback is accepted, in ms since the epoch; null unless the tool is asynchronous. */
  readonly callbackUntil: number | null;
  readonly callback: CallbackState | null;
  /** Where the response to the running or interrupted attempt can be read; null if it cannot be resumed. */
  readonly resumption: Resumption | null;
  /** Null if the call has required no input. */
  readonly input: InputState | null;
  /** Null if no server continues the call as a task. */
  readonly task: TaskState | null;
  /** Time until which the caller may supply a fallback, in ms since the epoch; null unless the call is held. */
  readonly fallbackUntil: number | null;
  /** The caller's fallback; null if there is none. */
  readonly fallback: { readonly result: JsonValue } | "declined" | null;
  readonly result?: JsonValue;
  /** Length of the text of the result that a model would read in full, in characters. */
  readonly resultCharacters?: number;
  /** Length of the text of the final error that a model would read in full, in characters. */
  readonly errorCharacters?: number;
  readonly via?: Via;
  readonly error: ToolErrorRecord | null;
  /** The cost of all attempts so far and, once the call has ended, of its model calls. */
  readonly cost: Cost;
  /** The model calls of the tool; empty until the call has ended. */
  readonly modelCalls: readonly ModelCall[];
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

export interface TurnState {
  readonly number: number;
  /** The current attempt of the turn's model request, from 1. */
  readonly attempt: number;
  /** Whether the model may have a cost: true for every model except the scripted ones. */
  readonly mayCost: boolean;
  /** Number of failed requests that count against the retries. Interruptions by a restart do not count. */
  readonly failures: number;
  /** Number of restarts that interrupted the turn's request or, later, one of its calls that ran inside the gateway. */
  readonly interruptions: number;
  readonly phase: "requested" | "retrying" | "responded";
  readonly retryAt: number | null;
  readonly text: string;
  readonly finishReason: string | null;
  /** The sources of the reply, as the provider reports them. */
  readonly sources: readonly Source[];
  /** Names of the provider-run tools whose results came with this turn. */
  readonly hostedTools: readonly string[];
  readonly calls: readonly CallState[];
}

/** A deferred tool that was loaded. */
export interface LoadedTool {
  readonly name: string;
  /** `search`: the model found it. `call`: the model called it without having found it. */
  readonly reason: "search" | "call";
}

/** The state of an execution, folded from its events. */
export interface ExecutionState {
  readonly executionId: string;
  readonly lastSeq: number;
  readonly status: ExecutionStatus;
  readonly stopReason: StopReason | null;
  readonly input: ExecutionInput | null;
  readonly output: {
    readonly text: string;
    readonly sources?: readonly Source[] | undefined;
    readonly citations?: readonly Citation[] | undefined;
  } | null;
  readonly error: ExecutionError | null;
  readonly limits: Limits;
  readonly turns: readonly TurnState[];
  /** The model turn whose answer lacked citations, and what the model then read; null if there was none. */
  readonly citationRequest: { readonly turn: number; readonly message: string } | null;
  /** The latest decision about the capabilities that serve the agent's intents; null if there was none. */
  readonly route: RouteDecision | null;
  /** Keys of the capabilities whose last call failed for a reason that another capability may not share. */
  readonly failedCapabilities: readonly string[];
  /** The tools that are deferred; null if every model turn carries all tools. */
  readonly toolSearch: ToolDeferral | null;
  /** The deferred tools that were loaded, in order of discovery. */
  readonly loadedTools: readonly LoadedTool[];
  readonly usage: Usage;
  readonly cost: Cost;
  /** Estimated tokens of all tool results and errors so far. */
  readonly toolResultTokens: number;
  readonly isCancelRequested: boolean;
  readonly limitReached: { readonly limit: LimitName; readonly message: string } | null;
  /** Whether a call was held until its hold expired without a fallback. Later failures are then not held. */
  readonly isFallbackExhausted: boolean;
  /** Time spent running before `runningSince`, in ms. */
  readonly spentMs: number;
  /**
   * Time at which the execution last started running, in ms since the epoch; null while it waits or is queued, and once
   * it has ended.
   */
  readonly runningSince: number | null;
  /** Time of the last event, in ms since the epoch. An interrupted run is considered to have stopped at this time. */
  readonly lastEventAt: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Returns the state of an execution that has no events yet. */
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
    citationRequest: null,
    route: null,
    failedCapabilities: [],
    toolSearch: null,
    loadedTools: [],
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

/** Returns whether a call has ended. */
export function isClosed(call: CallState): boolean {
  return CLOSED.has(call.status);
}

/** Returns whether the call is waiting for an approval, or for the owner to act on the decision. */
export function isWaitingForApproval(call: CallState): boolean {
  return call.status === "waiting_approval";
}

/** Returns whether the call is waiting for its callback and has no running attempt. */
export function isWaitingForCallback({ status }: CallState): boolean {
  return status === "waiting_callback";
}

/** Returns whether the call is waiting for a person's answers. */
export function isWaitingForInput({ status }: CallState): boolean {
  return status === "waiting_input";
}

export function hasRunningAttempt(call: CallState): boolean {
  return call.attempts.at(-1)?.isFinished === false;
}

/** Returns the running attempt, if any. */
export function runningAttempt(call: CallState): AttemptState | undefined {
  const last = call.attempts.at(-1);
  return last?.isFinished === false ? last : undefined;
}

/** Returns the time that the execution has spent running, in ms. */
export function spentMs(state: ExecutionState, now: number): number {
  return state.spentMs + (state.runningSince === null ? 0 : Math.max(0, now - state.runningSince));
}

/** Returns how much of the wall time is left, in ms. */
export function remainingWallMs(state: ExecutionState, now: number): number {
  return Math.max(0, state.limits.maxWallTimeMs - spentMs(state, now));
}

/** Returns whether the call exceeded a limit of its turn. Such a call never ran, so it says nothing about its tool. */
export function exceededTurnLimit({ error }: CallState): boolean {
  return error?.code === "BUDGET_EXCEEDED" && error.source === "gateway";
}

/** Returns whether the execution starts nothing new, because it is being cancelled or has reached a limit. */
export function isClosing({ isCancelRequested, limitReached }: ExecutionState): boolean {
  return isCancelRequested || limitReached !== null;
}

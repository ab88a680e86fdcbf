import type { TraceContext } from "@yagate/lib/http/trace-context";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type {
  ApprovalRequest,
  HandlerToolDefinition,
  JsonObject,
  JsonValue,
  RecordedMessage,
  Timings,
} from "@yagate/protocol";

/** What all attempts of a call have in common. */
export interface CallContent {
  readonly agentId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly tool: HandlerToolDefinition;
  readonly parameters: JsonObject;
  readonly caller?: JsonObject;
  readonly addedHeaders?: AddedHeaders;
}

/** Headers that the author of a tool adds to those of every signed call. No signature covers them. */
export interface AddedHeaders {
  /** With `***NAME***` in the place of each secret: what may be shown, kept and hashed. */
  readonly shown: Readonly<Record<string, string>>;
  /** Opens their secrets for one attempt. @throws YagateError `UNAVAILABLE`, or as a sealed text that can't be opened. */
  open(workspaceId: string): Promise<OpenedHeaders | { readonly failure: AttemptFailure }>;
}

/** Headers with their secrets: nothing of them may be kept. */
export interface OpenedHeaders {
  readonly values: Readonly<Record<string, string>>;
  /** Takes their secrets out of what the handler answers. */
  readonly redaction: Redaction;
}

/** What would be sent for a call, as far as it is known before it is. */
export interface RenderedCall {
  readonly request: ApprovalRequest;
  /** `sha256:` and hex, over the tool's definition and everything that would be sent but what each attempt has its own of. */
  readonly hash: string;
}

/** When an asynchronous call was first begun, and until when its result is taken; the same in all of its attempts. */
export interface CallbackTimes {
  /** ms since the epoch, as below. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** One attempt of a signed call. */
export interface AttemptRequest extends CallContent {
  readonly workspaceId: string;
  /** 1 for the first. */
  readonly number: number;
  /** The hash of what a person approved: anything else is not sent. */
  readonly approvedHash?: string;
  /** Of the execution; absent where it was started outside of any trace. */
  readonly trace?: TraceContext;
  /** Of an asynchronous call. */
  readonly callback?: CallbackTimes;
  /** ms since the epoch; the body's `deadline`, if the attempt begins now. Its budget is what is left until then. */
  readonly deadline: number;
  /**
   * ms since the epoch: the end of the execution's time. Waiting for the endpoint's concurrency moves `deadline` on, never
   * past this; default `deadline`, so that waiting uses up the budget.
   */
  readonly latestDeadline?: number;
  /** Aborting ends the attempt with `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Aborting ends the attempt with `CANCELLED` as long as nothing of it has left; afterwards it changes nothing. */
  readonly unsentSignal?: AbortSignal;
  /** Called right before the bytes go; when it throws, nothing leaves and the error is passed on. */
  readonly beforeSend: () => void;
  /** Called with true when it begins to wait for a concurrency slot of its endpoint, with false when it no longer does. */
  readonly onQueued?: (isQueued: boolean) => void;
  /** Where the endpoint's queue is full, the attempt rejects with a `QueueFullError` in place of failing; default false. */
  readonly isPostponable?: boolean;
  /**
   * Called at most once, after the attempt was reported as `TIMEOUT`, when its answer comes after all: for the record.
   * The answer itself was thrown away unread. Not called when `signal` was aborted in between.
   */
  readonly onLateAnswer?: (late: LateResponse) => void;
}

/** An answer that came too late to be used. */
export interface LateResponse {
  readonly httpStatus: number;
  /** From the attempt's beginning, as its `durationMs`, to the end of its answer. */
  readonly elapsedMs: number;
  /** Size of its body on the wire. */
  readonly responseBytes: number;
}

/** Why an attempt did not bring a result. */
export interface AttemptFailure {
  /** A gateway code, or the handler's own. */
  readonly code: string;
  /** Safe for the model. */
  readonly message: string;
  readonly hint?: string;
  readonly details?: JsonValue;
  readonly source: "gateway" | "handler";
  /** Whether another attempt could help at all. Whether one is allowed is the machine's decision. */
  readonly isRetryable: boolean;
  /** `none`: it never left, was refused, or the handler answered in full that it failed. */
  readonly outcome: "none" | "unknown";
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
  /** For the log only. */
  readonly developerMessage?: string;
}

/** What one attempt came to. */
export interface AttemptReport {
  /** `pending`: the tool, which is asynchronous, brings its result later. */
  readonly answer: { readonly result: JsonValue } | { readonly failure: AttemptFailure } | { readonly pending: true };
  readonly durationMs: number;
  readonly timings: Timings;
  readonly httpStatus?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly request: RecordedMessage;
  readonly response: RecordedMessage | null;
}

/** Sends signed calls. */
export interface Dispatcher {
  /** What an attempt of this call would send now. Nothing is signed or sent. */
  render(call: CallContent): Promise<RenderedCall>;
  /** Never rejects but with the error of `beforeSend`, or with a `QueueFullError` where that was asked for. */
  attempt(request: AttemptRequest): Promise<AttemptReport>;
}

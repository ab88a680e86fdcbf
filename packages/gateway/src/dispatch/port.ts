import type { HandlerToolDefinition, JsonObject, JsonValue, RecordedMessage, Timings } from "@yagate/protocol";

/** One attempt of a signed call. */
export interface AttemptRequest {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly tool: HandlerToolDefinition;
  readonly parameters: JsonObject;
  /** 1 for the first. */
  readonly number: number;
  readonly caller?: JsonObject;
  /** ms since the epoch; the body's `deadline`. The attempt's budget is what is left until then. */
  readonly deadline: number;
  /** Aborting ends the attempt with `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Called right before the bytes go; when it throws, nothing leaves and the error is passed on. */
  readonly beforeSend: () => void;
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
  readonly answer: { readonly result: JsonValue } | { readonly failure: AttemptFailure };
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
  /** Never rejects but with the error of `beforeSend`. */
  attempt(request: AttemptRequest): Promise<AttemptReport>;
}

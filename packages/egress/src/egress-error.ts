import { ERROR_TABLE, type Timings, YagateError } from "@yagate/protocol";

/** Why a request failed or has no usable response. */
export type EgressErrorCode =
  | "INVALID_ARGUMENTS"
  | "URL_BLOCKED"
  | "DNS_BLOCKED"
  | "NETWORK_ERROR"
  | "TLS_ERROR"
  | "TIMEOUT"
  | "RESPONSE_TOO_LARGE"
  | "INVALID_RESPONSE"
  | "REDIRECT_REFUSED"
  | "CANCELLED";

/** What is known about a failed request. */
export interface EgressErrorDetails {
  readonly reason: string;
  readonly bytesMayHaveLeft?: boolean;
  readonly isTemporary?: boolean;
  readonly answerStatus?: number | undefined;
  readonly timings?: Timings;
  readonly cause?: unknown;
}

/** The timings of a request that was not started. */
export const NO_TIMINGS: Timings = { dns: null, connect: null, tls: null, firstByte: null };

/**
 * The error of a request that was blocked or failed.
 *
 * A model may read `message`, which never reveals the addresses of a name or whether a port is open. `reason` may
 * reveal them and is only for the audit log.
 */
export class EgressError extends YagateError {
  override readonly name: string = "EgressError";
  declare readonly code: EgressErrorCode;
  readonly reason: string;
  /** Whether bytes of the request may have been sent. If false, it is safe to send any request again. */
  readonly bytesMayHaveLeft: boolean;
  /**
   * Whether the same request may succeed later: true if a name server did not respond, false if a name does not exist.
   */
  readonly isTemporary: boolean;
  /** Status of the response; undefined if its head was not read. */
  readonly answerStatus: number | undefined;
  /** Durations of the steps that were completed before the failure, in ms; null for the others. */
  readonly timings: Timings;

  constructor(code: EgressErrorCode, message: string, details: EgressErrorDetails) {
    super(code, message, { cause: details.cause });
    this.reason = details.reason;
    this.bytesMayHaveLeft = details.bytesMayHaveLeft ?? false;
    this.isTemporary = details.isTemporary ?? ERROR_TABLE[code].isTransient;
    this.answerStatus = details.answerStatus;
    this.timings = details.timings ?? NO_TIMINGS;
  }
}

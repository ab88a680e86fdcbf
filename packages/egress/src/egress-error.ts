import { ERROR_TABLE, type Timings, YagateError } from "@yagate/protocol";

/** Why a request failed, or has no usable response. */
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

/** What is known about a request that failed. */
export interface EgressErrorDetails {
  readonly reason: string;
  readonly bytesMayHaveLeft?: boolean;
  readonly isTemporary?: boolean;
  readonly answerStatus?: number | undefined;
  readonly timings?: Timings;
  readonly cause?: unknown;
}

/** The timings of a request that did not start. */
export const NO_TIMINGS: Timings = { dns: null, connect: null, tls: null, firstByte: null };

/**
 * A request that was blocked or failed.
 *
 * A model may read `message`: it never reveals the addresses of a name, or whether a port is open. `reason` does, for
 * the audit log only.
 */
export class EgressError extends YagateError {
  override readonly name: string = "EgressError";
  declare readonly code: EgressErrorCode;
  readonly reason: string;
  /** False: certainly no byte of the request left, so any request may be sent again. */
  readonly bytesMayHaveLeft: boolean;
  /**
   * Whether the same request can succeed later. A name that does not exist is not temporary; a name server that does
   * not respond is.
   */
  readonly isTemporary: boolean;
  /** Status of a response whose head was read; undefined without one. */
  readonly answerStatus: number | undefined;
  /** The steps that were completed before the failure. */
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

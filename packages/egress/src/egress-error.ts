import { type Timings, YagateError } from "@yagate/protocol";

/** Why nothing, or no usable answer, came of a request. */
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

/** What is known of a request that failed. */
export interface EgressErrorDetails {
  readonly reason: string;
  readonly bytesMayHaveLeft?: boolean;
  readonly isTemporary?: boolean;
  readonly answerStatus?: number | undefined;
  readonly timings?: Timings;
  readonly cause?: unknown;
}

/** The timings of a request that got nowhere. */
export const NO_TIMINGS: Timings = { dns: null, connect: null, tls: null, firstByte: null };

/**
 * A request that was refused or failed.
 *
 * `message` is safe for a model: it never says which address a name has, or whether a port is open. `reason` says it,
 * for the audit log only.
 */
export class EgressError extends YagateError {
  override readonly name: string = "EgressError";
  declare readonly code: EgressErrorCode;
  readonly reason: string;
  /** False: surely not a byte of the request left, so it may be sent again whatever it does. */
  readonly bytesMayHaveLeft: boolean;
  /** Whether the same request can succeed later. A name that does not exist is not temporary, a silent name server is. */
  readonly isTemporary: boolean;
  /** Status of an answer whose head was read; undefined when none came. */
  readonly answerStatus: number | undefined;
  /** The steps that were completed before the failure. */
  readonly timings: Timings;

  constructor(code: EgressErrorCode, message: string, details: EgressErrorDetails) {
    super(code, message, { cause: details.cause });
    this.reason = details.reason;
    this.bytesMayHaveLeft = details.bytesMayHaveLeft ?? false;
    this.isTemporary = details.isTemporary ?? (code === "NETWORK_ERROR" || code === "TIMEOUT");
    this.answerStatus = details.answerStatus;
    this.timings = details.timings ?? NO_TIMINGS;
  }
}

import { isObject } from "@yagate/lib/json/json-object";
import { type ErrorCode, type FieldError, YagateError } from "@yagate/protocol";

const BRAND = Symbol.for("yagate.api-error");

/** A quota that has been exceeded. */
export interface ExceededQuota {
  /** The name of the quota, as in `usage.get()`. */
  readonly quota: string;
  readonly limit: number;
  readonly used: number;
}

/** The content of an error response. */
export interface ApiErrorDetails {
  readonly status: number;
  readonly rawCode: string;
  readonly requestId: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly retryAfterMs: number | null;
  /** Absent if no quota was exceeded. */
  readonly quota?: ExceededQuota | undefined;
  readonly hint?: string | undefined;
}

/** The gateway responded with an error. */
export class ApiError extends YagateError {
  override readonly name: string = "ApiError";
  /** HTTP status of the response. */
  override readonly status: number;
  /**
   * The code in the response. If a newer gateway sends a code that this client does not know, `code` is the closest
   * known one.
   */
  readonly rawCode: string;
  /** The id of the request in the gateway's log; null if the response has none. */
  readonly requestId: string | null;
  /** All invalid fields of a rejected body; empty otherwise. */
  readonly fieldErrors: readonly FieldError[];
  /** The time to wait from `Retry-After`, in ms; null if the response has none. */
  readonly retryAfterMs: number | null;
  /** The exceeded quota (`QUOTA_EXCEEDED`), its limit and its use; null otherwise. */
  readonly quota: string | null;
  readonly limit: number | null;
  readonly used: number | null;

  constructor(code: ErrorCode, message: string, details: ApiErrorDetails) {
    super(code, message, details.hint === undefined ? {} : { hint: details.hint });
    this.status = details.status;
    this.rawCode = details.rawCode;
    this.requestId = details.requestId;
    this.fieldErrors = details.fieldErrors;
    this.retryAfterMs = details.retryAfterMs;
    this.quota = details.quota?.quota ?? null;
    this.limit = details.quota?.limit ?? null;
    this.used = details.quota?.used ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Recognises the error across copies of this package (ESM and CommonJS, two versions), where `instanceof` fails. */
  static override is(value: unknown): value is ApiError {
    return isObject(value) && BRAND in value;
  }
}

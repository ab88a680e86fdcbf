import { isObject } from "@yagate/lib/json/json-object";
import { type ErrorCode, type FieldError, YagateError } from "@yagate/protocol";

const BRAND = Symbol.for("yagate.api-error");

/** An exceeded quota. */
export interface ExceededQuota {
  /** The quota's name, as returned by `usage.get()`. */
  readonly quota: string;
  readonly limit: number;
  readonly used: number;
}

/** The fields of an error response. */
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

/** An error response from the gateway. */
export class ApiError extends YagateError {
  override readonly name: string = "ApiError";
  /** The HTTP status of the response. */
  override readonly status: number;
  /**
   * The code in the response. If the gateway is newer and the client does not know this code, `code` is the known code
   * that fits the status.
   */
  readonly rawCode: string;
  /** The id of the request in the gateway's log; null if the response does not contain it. */
  readonly requestId: string | null;
  /** Every invalid field of the rejected request; empty for other errors. */
  readonly fieldErrors: readonly FieldError[];
  /**
   * How long to wait before a retry, in ms, from the header `Retry-After`; null if the response does not contain it.
   */
  readonly retryAfterMs: number | null;
  /**
   * The name of the exceeded quota, if the code is `QUOTA_EXCEEDED`; `limit` and `used` are then its limit and usage.
   * All three are null for other errors.
   */
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

  /**
   * Checks whether a value is an `ApiError`. Unlike `instanceof`, this also recognises errors from another copy of this
   * package (ESM and CommonJS, or two versions).
   */
  static override is(value: unknown): value is ApiError {
    return isObject(value) && BRAND in value;
  }
}

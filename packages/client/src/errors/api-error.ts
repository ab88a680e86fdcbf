import { type ErrorCode, type FieldError, YagateError } from "@yagate/protocol";

const BRAND = Symbol.for("yagate.api-error");

/** A quota that refused something new. */
export interface ExceededQuota {
  /** Its name, as in `usage.get()`. */
  readonly quota: string;
  readonly limit: number;
  readonly used: number;
}

/** What a failed answer said. */
export interface ApiErrorDetails {
  readonly status: number;
  readonly rawCode: string;
  readonly requestId: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly retryAfterMs: number | null;
  /** Absent: no quota refused it. */
  readonly quota?: ExceededQuota | undefined;
  readonly hint?: string | undefined;
}

/** The gateway answered, and refused or failed. */
export class ApiError extends YagateError {
  override readonly name: string = "ApiError";
  /** HTTP status of the answer. */
  override readonly status: number;
  /** The code as it was sent; `code` is the closest known one when a newer gateway sends a new code. */
  readonly rawCode: string;
  /** Names the request in the gateway's log; null when the answer named none. */
  readonly requestId: string | null;
  /** All wrong fields of a refused body; empty otherwise. */
  readonly fieldErrors: readonly FieldError[];
  /** How long the gateway asked to wait; null when it did not. */
  readonly retryAfterMs: number | null;
  /** The quota that refused the request (`QUOTA_EXCEEDED`), what it allows and how much was used; null otherwise. */
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

  /** Recognises an error across copies of this package (ESM and CommonJS, two versions), where `instanceof` fails. */
  static override is(value: unknown): value is ApiError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** A field that the gateway refused, and why. */
export interface RefusedField {
  readonly path: string;
  readonly message: string;
}

/** What the API said about a request that failed (RFC 9457), or what the browser found out instead. */
export interface ProblemFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly fieldErrors?: readonly RefusedField[] | undefined;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
}

/** A request to the gateway that failed. */
export class ApiError extends Error implements ProblemFacts {
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly fieldErrors: readonly RefusedField[];
  readonly status: number;

  constructor({ code, message, hint, requestId, fieldErrors = [], status }: ProblemFacts, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.requestId = requestId;
    this.fieldErrors = fieldErrors;
    this.status = status;
  }
}

/** Returns what to show of an error of any kind. */
export function toProblemFacts(error: unknown): ProblemFacts {
  if (error instanceof ApiError) return error;
  return { code: "PAGE_ERROR", message: error instanceof Error ? error.message : String(error), status: 0 };
}

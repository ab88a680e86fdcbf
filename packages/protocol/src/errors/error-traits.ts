/** The traits of each code. Adding a code is a minor change; renaming one is a major change. */
export const ERROR_TRAITS = {
  // Tool errors that the gateway gives to the model, the log and onToolError.
  INVALID_ARGUMENTS: { status: 422, isRetryable: true },
  UNKNOWN_TOOL: { status: 404, isRetryable: false },
  TOOL_NOT_LOADED: { status: 409, isRetryable: true },
  TIMEOUT: { status: 504, isRetryable: true },
  NETWORK_ERROR: { status: 502, isRetryable: true },
  TLS_ERROR: { status: 502, isRetryable: false },
  URL_BLOCKED: { status: 403, isRetryable: false },
  DNS_BLOCKED: { status: 403, isRetryable: true },
  CREDENTIAL_MISSING: { status: 422, isRetryable: true },
  CREDENTIAL_UNKNOWN: { status: 422, isRetryable: true },
  CREDENTIAL_LEAK: { status: 403, isRetryable: false },
  RATE_LIMITED: { status: 429, isRetryable: true },
  WEBHOOK_NOT_ENABLED: { status: 403, isRetryable: false },
  WEBHOOK_NOT_REGISTERED: { status: 403, isRetryable: false },
  HANDLER_ERROR: { status: 502, isRetryable: true },
  HANDLER_GONE: { status: 410, isRetryable: false },
  REDIRECT_REFUSED: { status: 502, isRetryable: false },
  INVALID_RESPONSE: { status: 502, isRetryable: false },
  INVALID_RESPONSE_SIGNATURE: { status: 502, isRetryable: false },
  RESPONSE_TOO_LARGE: { status: 502, isRetryable: false },
  ENDPOINT_DISABLED: { status: 503, isRetryable: false },
  CIRCUIT_OPEN: { status: 503, isRetryable: false },
  POLICY_DENIED: { status: 403, isRetryable: false },
  APPROVAL_DENIED: { status: 403, isRetryable: false },
  APPROVAL_EXPIRED: { status: 403, isRetryable: false },
  BUDGET_EXCEEDED: { status: 429, isRetryable: false },
  CANCELLED: { status: 409, isRetryable: false },
  OUTCOME_UNKNOWN: { status: 502, isRetryable: false },
  NOT_CONFIGURED: { status: 501, isRetryable: false },
  TOOL_HELD: { status: 403, isRetryable: false },
  TOOL_REMOVED: { status: 404, isRetryable: false },
  INPUT_EXPIRED: { status: 403, isRetryable: false },
  INPUT_REFUSED: { status: 502, isRetryable: false },
  DEPENDENCY_FAILED: { status: 424, isRetryable: false },
  NO_ROUTE: { status: 422, isRetryable: false },
  REPLAY_DIVERGED: { status: 409, isRetryable: false },
  MODEL_ERROR: { status: 502, isRetryable: true },
  INTERNAL: { status: 500, isRetryable: false },

  // The HTTP API.
  MALFORMED_HEADERS: { status: 400, isRetryable: false },
  MALFORMED_JSON: { status: 400, isRetryable: false },
  UNAUTHENTICATED: { status: 401, isRetryable: false },
  FORBIDDEN: { status: 403, isRetryable: false },
  NOT_FOUND: { status: 404, isRetryable: false },
  METHOD_NOT_ALLOWED: { status: 405, isRetryable: false },
  CONFLICT: { status: 409, isRetryable: false },
  GONE: { status: 410, isRetryable: false },
  BODY_TOO_LARGE: { status: 413, isRetryable: false },
  INVALID_REQUEST: { status: 422, isRetryable: false },
  MODEL_UNPRICED: { status: 422, isRetryable: false },
  QUOTA_EXCEEDED: { status: 429, isRetryable: true },
  UNAVAILABLE: { status: 503, isRetryable: true },
  TOO_MANY_TOOLS: { status: 422, isRetryable: false },
  SOURCE_UNREACHABLE: { status: 502, isRetryable: true },
  SOURCE_UNAUTHORIZED: { status: 502, isRetryable: false },
  MANIFEST_INVALID: { status: 502, isRetryable: false },

  // Signed calls, as the handler kit checks them.
  SIGNATURE_MISSING: { status: 401, isRetryable: false },
  SIGNATURE_MALFORMED: { status: 401, isRetryable: false },
  SIGNATURE_MISMATCH: { status: 401, isRetryable: false },
  TIMESTAMP_TOO_OLD: { status: 401, isRetryable: false },
  TIMESTAMP_IN_FUTURE: { status: 401, isRetryable: false },
  BODY_ALREADY_PARSED: { status: 500, isRetryable: false },
  PAYLOAD_INVALID: { status: 400, isRetryable: false },
  CALL_CONFLICT: { status: 409, isRetryable: false },
  SECRET_INVALID: { status: 500, isRetryable: false },

  // The client, in the caller's process.
  NOT_FINISHED: { status: 504, isRetryable: true },
  CONNECTION_FAILED: { status: 503, isRetryable: true },
} as const satisfies Record<string, { readonly status: number; readonly isRetryable: boolean }>;

/**
 * An error code of the gateway, its API, the handler kit or the client. The custom codes of handlers can be any string.
 */
export type ErrorCode = keyof typeof ERROR_TRAITS;

/** Checks whether a string is an {@link ErrorCode}. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TRAITS, code);
}

/** What a code means to whoever must react to it. */
export interface ErrorTraits {
  /** HTTP status of an answer that carries the code. */
  readonly status: number;
  /** Whether repeating the same thing can ever help. A single error may still say no. */
  readonly isRetryable: boolean;
  /** The default advice to the reader: a developer, or a model that called a tool. */
  readonly hint: string;
}

/** Everything a caller may see. Adding a code is a minor change, renaming one a major. */
export const ERROR_TABLE = {
  // Tool errors that the gateway gives to the model, the log and onToolError.
  INVALID_ARGUMENTS: { status: 422, isRetryable: true, hint: "correct the named fields and call again" },
  UNKNOWN_TOOL: { status: 404, isRetryable: false, hint: "call only tools that were offered, by their exact name" },
  TIMEOUT: { status: 504, isRetryable: true, hint: "the tool took too long; go on without it or try once more later" },
  NETWORK_ERROR: { status: 502, isRetryable: true, hint: "the tool's service could not be reached; go on without it" },
  TLS_ERROR: {
    status: 502,
    isRetryable: false,
    hint: "the service's certificate was not accepted; its operator must fix it",
  },
  URL_BLOCKED: { status: 403, isRetryable: false, hint: "use an https URL of an approved destination" },
  DNS_BLOCKED: { status: 403, isRetryable: true, hint: "this destination is not allowed; use another one" },
  CREDENTIAL_MISSING: { status: 422, isRetryable: true, hint: "name one of the agent's credentials" },
  CREDENTIAL_UNKNOWN: { status: 422, isRetryable: true, hint: "use the exact name of one of the agent's credentials" },
  CREDENTIAL_LEAK: { status: 403, isRetryable: false, hint: "never write a secret's value into a request" },
  RATE_LIMITED: { status: 429, isRetryable: true, hint: "make fewer calls, or answer with what is known" },
  WEBHOOK_NOT_ENABLED: { status: 403, isRetryable: false, hint: "this agent may not use webhooks" },
  WEBHOOK_NOT_REGISTERED: { status: 403, isRetryable: false, hint: "use one of the agent's registered webhook URLs" },
  HANDLER_ERROR: {
    status: 502,
    isRetryable: true,
    hint: "the tool's service failed; tell the user or try another way",
  },
  HANDLER_GONE: {
    status: 410,
    isRetryable: false,
    hint: "the tool no longer exists; its operator must enable it again",
  },
  REDIRECT_REFUSED: {
    status: 502,
    isRetryable: false,
    hint: "the handler redirects; save the final URL as its handler",
  },
  INVALID_RESPONSE: {
    status: 502,
    isRetryable: false,
    hint: 'a handler answers {"result": …} or {"error": {"code", "message"}}',
  },
  INVALID_RESPONSE_SIGNATURE: {
    status: 502,
    isRetryable: false,
    hint: "the answer's signature was missing or wrong; do not rely on it",
  },
  RESPONSE_TOO_LARGE: { status: 502, isRetryable: false, hint: "ask for less: a smaller range, fewer fields" },
  ENDPOINT_DISABLED: { status: 503, isRetryable: false, hint: "the handler said 410 Gone; enable its endpoint again" },
  CIRCUIT_OPEN: { status: 503, isRetryable: false, hint: "the tool's service is failing; go on without it" },
  POLICY_DENIED: { status: 403, isRetryable: false, hint: "this agent's policy does not allow the call" },
  APPROVAL_DENIED: { status: 403, isRetryable: false, hint: "a person refused the call; do not repeat it" },
  APPROVAL_EXPIRED: { status: 403, isRetryable: false, hint: "nobody approved the call in time" },
  BUDGET_EXCEEDED: {
    status: 429,
    isRetryable: false,
    hint: "a limit of this execution is reached; answer with what is known",
  },
  CANCELLED: { status: 409, isRetryable: false, hint: "the execution was cancelled" },
  OUTCOME_UNKNOWN: { status: 502, isRetryable: false, hint: "it may have happened: check before repeating it" },
  NOT_CONFIGURED: { status: 501, isRetryable: false, hint: "an operator must configure this before it can be used" },
  DEPENDENCY_FAILED: { status: 424, isRetryable: false, hint: "a tool that must come first failed or did not run" },
  MODEL_ERROR: { status: 502, isRetryable: true, hint: "the model provider failed; start the execution again later" },
  INTERNAL: { status: 500, isRetryable: false, hint: "this is a defect; report it with the request id" },

  // The HTTP API.
  MALFORMED_HEADERS: { status: 400, isRetryable: false, hint: "send each header once" },
  MALFORMED_JSON: { status: 400, isRetryable: false, hint: "send a body that is valid JSON in UTF-8" },
  UNAUTHENTICATED: { status: 401, isRetryable: false, hint: "send a valid API key as Authorization: Bearer yk_…" },
  FORBIDDEN: { status: 403, isRetryable: false, hint: "use a key that has the needed scope" },
  NOT_FOUND: {
    status: 404,
    isRetryable: false,
    hint: "check the path and the id; other workspaces' things are not visible",
  },
  CONFLICT: { status: 409, isRetryable: false, hint: "read the current state and decide again" },
  GONE: { status: 410, isRetryable: false, hint: "it has expired or was cancelled; start again" },
  BODY_TOO_LARGE: { status: 413, isRetryable: false, hint: "send a smaller body" },
  INVALID_REQUEST: { status: 422, isRetryable: false, hint: "correct the fields named in errors" },
  QUOTA_EXCEEDED: {
    status: 429,
    isRetryable: true,
    hint: "wait as Retry-After says, or delete what is not used",
  },
  UNAVAILABLE: { status: 503, isRetryable: true, hint: "try again in a moment" },

  // Signed calls, as the handler kit judges them.
  SIGNATURE_MISSING: { status: 401, isRetryable: false, hint: "the call has no X-YA-Signature header" },
  SIGNATURE_MALFORMED: {
    status: 401,
    isRetryable: false,
    hint: "X-YA-Signature must be 1 to 10 entries of sha256= and 64 lower-case hex digits",
  },
  SIGNATURE_MISMATCH: {
    status: 401,
    isRetryable: false,
    hint: "check that both sides hold the same signing secret and that nothing changes the body",
  },
  TIMESTAMP_TOO_OLD: {
    status: 401,
    isRetryable: false,
    hint: "the call is older than the tolerance: a replay, or a clock that runs wrong",
  },
  TIMESTAMP_IN_FUTURE: { status: 401, isRetryable: false, hint: "the call is from the future: check both clocks" },
  BODY_ALREADY_PARSED: { status: 500, isRetryable: false, hint: "mount the tool handler before any body parser" },
  PAYLOAD_INVALID: { status: 400, isRetryable: false, hint: "the body is not a tool call of this protocol" },
  CALL_CONFLICT: {
    status: 409,
    isRetryable: false,
    hint: "the same toolCallId came with another name or other parameters",
  },
  SECRET_INVALID: {
    status: 500,
    isRetryable: false,
    hint: "a signing secret is whsec_ and the base64 of 24 to 64 bytes, with nothing around it",
  },

  // The client, in the caller's process.
  CONNECTION_FAILED: { status: 503, isRetryable: true, hint: "check that the gateway runs and that baseUrl names it" },
} as const satisfies Record<string, ErrorTraits>;

/** A code of the gateway, its API, the handler kit or the client. A handler's own codes are any string. */
export type ErrorCode = keyof typeof ERROR_TABLE;

/** Whether a string is one of our own codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

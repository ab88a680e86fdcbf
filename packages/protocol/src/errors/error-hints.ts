import type { ErrorCode } from "./error-traits.ts";

/** The default hint of each code: what the reader can do next. */
export const ERROR_HINTS: Readonly<Record<ErrorCode, string>> = {
  // Tool errors that the gateway gives to the model, the log and onToolError.
  INVALID_ARGUMENTS: "correct the named fields and call again",
  UNKNOWN_TOOL: "call only tools that were offered, by their exact name",
  TIMEOUT: "the tool took too long; go on without it or try once more later",
  NETWORK_ERROR: "the tool's service could not be reached; go on without it",
  TLS_ERROR: "the service's certificate was not accepted; its operator must fix it",
  URL_BLOCKED: "use an https URL of an approved destination",
  DNS_BLOCKED: "this destination is not allowed; use another one",
  CREDENTIAL_MISSING: "name one of the agent's credentials",
  CREDENTIAL_UNKNOWN: "use the exact name of one of the agent's credentials",
  CREDENTIAL_LEAK: "never write a secret's value into a request",
  RATE_LIMITED: "make fewer calls, or answer with what is known",
  WEBHOOK_NOT_ENABLED: "this agent may not use webhooks",
  WEBHOOK_NOT_REGISTERED: "use one of the agent's registered webhook URLs",
  HANDLER_ERROR: "the tool's service failed; tell the user or try another way",
  HANDLER_GONE: "the tool no longer exists; its operator must enable it again",
  REDIRECT_REFUSED: "the handler redirects; save the final URL as its handler",
  INVALID_RESPONSE: 'a handler answers {"result": …} or {"error": {"code", "message"}}',
  INVALID_RESPONSE_SIGNATURE: "the answer's signature was missing or wrong; do not rely on it",
  RESPONSE_TOO_LARGE: "ask for less: a smaller range, fewer fields",
  ENDPOINT_DISABLED: "the handler said 410 Gone; enable its endpoint again",
  CIRCUIT_OPEN: "the tool's service is failing; go on without it",
  POLICY_DENIED: "this agent's policy does not allow the call",
  APPROVAL_DENIED: "a person refused the call; do not repeat it",
  APPROVAL_EXPIRED: "no person approved the call in time",
  BUDGET_EXCEEDED: "a limit of this execution is reached; answer with what is known",
  CANCELLED: "the execution was cancelled",
  OUTCOME_UNKNOWN: "it may have happened: check before repeating it",
  NOT_CONFIGURED: "an operator must configure this before it can be used",
  DEPENDENCY_FAILED: "a tool that must come first failed or did not run",
  MODEL_ERROR: "the model provider failed; start the execution again later",
  INTERNAL: "this is a defect; report it with the request id",

  // The HTTP API.
  MALFORMED_HEADERS: "send each header once",
  MALFORMED_JSON: "send a body that is valid JSON in UTF-8",
  UNAUTHENTICATED: "send a valid API key as Authorization: Bearer yk_…",
  FORBIDDEN: "use a key that has the needed scope",
  NOT_FOUND: "check the path and the id; other workspaces' things are not visible",
  METHOD_NOT_ALLOWED: "use a method that the header Allow names",
  CONFLICT: "read the current state and decide again",
  GONE: "it has expired or was cancelled; start again",
  BODY_TOO_LARGE: "send a smaller body",
  INVALID_REQUEST: "correct the fields named in errors",
  MODEL_UNPRICED: "give the model's price in the file that YAGATE_PRICES_FILE names, or leave maxCostUsd out",
  QUOTA_EXCEEDED: "wait as Retry-After says, or delete what is not used",
  UNAVAILABLE: "try again in a moment",

  // Signed calls, as the handler kit judges them.
  SIGNATURE_MISSING: "the call has no X-YA-Signature header",
  SIGNATURE_MALFORMED: "X-YA-Signature must be 1 to 10 entries of sha256= and 64 lower-case hex digits",
  SIGNATURE_MISMATCH: "check that both sides hold the same signing secret and that nothing changes the body",
  TIMESTAMP_TOO_OLD: "the call is older than the tolerance: a replay, or a clock that runs wrong",
  TIMESTAMP_IN_FUTURE: "the call is from the future: check both clocks",
  BODY_ALREADY_PARSED: "mount the tool handler before any body parser",
  PAYLOAD_INVALID: "the body is not a tool call of this protocol",
  CALL_CONFLICT: "the same toolCallId came with another name or other parameters",
  SECRET_INVALID: "a signing secret is whsec_ and the base64 of 24 to 64 bytes, with nothing around it",

  // The client, in the caller's process.
  NOT_FINISHED: "the execution goes on; follow it with executions.events, or end it with executions.cancel",
  CONNECTION_FAILED: "check that the gateway runs and that baseUrl names it",
};

/** The hint of an error that has none of its own. */
export function defaultHint(code: ErrorCode): string {
  return ERROR_HINTS[code];
}

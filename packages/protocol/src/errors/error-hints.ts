import type { ErrorCode } from "./error-traits.ts";

/** The default hint for each code: what the reader can do next. */
export const ERROR_HINTS: Readonly<Record<ErrorCode, string>> = {
  // Tool errors that the gateway gives to the model, the log and onToolError.
  INVALID_ARGUMENTS: "correct the named fields and call again",
  UNKNOWN_TOOL: "call only tools that were offered, by their exact name",
  TOOL_NOT_LOADED: "the tool is loaded now; call it again with arguments that match its schema",
  TIMEOUT: "the tool took too long; continue without it, or retry once later",
  NETWORK_ERROR: "the tool's service could not be reached; continue without it",
  TLS_ERROR: "the service's certificate is not trusted; its operator must replace it",
  URL_BLOCKED: "use an https URL whose host is allowed",
  DNS_BLOCKED: "the host was not found or is not allowed; use another one",
  CREDENTIAL_MISSING: "specify one of the agent's credentials",
  CREDENTIAL_UNKNOWN: "use the exact name of one of the agent's credentials",
  CREDENTIAL_LEAK: "never write a secret's value into a request",
  RATE_LIMITED: "make fewer calls, or reply with what you know",
  WEBHOOK_NOT_ENABLED: "this agent is not allowed to send webhooks; continue without them",
  WEBHOOK_NOT_REGISTERED: "use one of the agent's registered webhook URLs",
  HANDLER_ERROR: "the tool's service failed; tell the user or try another way",
  HANDLER_GONE: "the tool no longer exists; its operator must enable it again",
  REDIRECT_REFUSED: "the handler responded with a redirect; save the final URL as the handler URL",
  INVALID_RESPONSE: 'the handler must respond with {"result": …} or {"error": {"code", "message"}}',
  INVALID_RESPONSE_SIGNATURE: "the response's signature was missing or wrong; do not rely on the response",
  RESPONSE_TOO_LARGE: "request less: a smaller range or fewer fields",
  ENDPOINT_DISABLED: "the handler responded with 410 Gone; enable its endpoint again",
  CIRCUIT_OPEN: "the tool's service is failing; continue without it",
  POLICY_DENIED: "this agent's policy does not allow the call",
  APPROVAL_DENIED: "an approver denied the call; do not repeat it",
  APPROVAL_EXPIRED: "no approver decided in time; continue without the call",
  BUDGET_EXCEEDED: "this execution has reached a limit; reply with what you know",
  CANCELLED: "the execution was cancelled",
  OUTCOME_UNKNOWN: "the call may have taken effect; check before you repeat it",
  NOT_CONFIGURED: "an operator must configure this before it can be used",
  TOOL_HELD: "the tool is off until a person accepts its definition; continue without it",
  TOOL_REMOVED: "the tool no longer exists; continue without it",
  INPUT_EXPIRED: "no person answered the tool's questions in time; continue without the call",
  INPUT_REFUSED: "the tool requires input that the gateway does not pass on; continue without the call",
  DEPENDENCY_FAILED: "a tool that this one depends on failed or did not run; call that tool first",
  NO_ROUTE:
    "run yagate route to see why each capability was excluded; then change the capability, the routing of the request or the bounds of the API key",
  REPLAY_DIVERGED: "record the execution again, or restore the version of the agent that was recorded",
  MODEL_ERROR: "the model provider failed; start the execution again later",
  INTERNAL: "this is a bug in Yagate; report it with the request id",

  // The HTTP API.
  MALFORMED_HEADERS: "send each header once",
  MALFORMED_JSON: "send a body that is valid JSON in UTF-8",
  UNAUTHENTICATED: "send a valid API key as Authorization: Bearer yk_…",
  FORBIDDEN: "use a key with the required scope",
  NOT_FOUND: "check the path and the id; resources of other workspaces are not visible",
  METHOD_NOT_ALLOWED: "use a method that the Allow header lists",
  CONFLICT: "read the current state and decide again",
  GONE: "the resource has expired or was cancelled; start again",
  BODY_TOO_LARGE: "send a smaller body",
  INVALID_REQUEST: "correct the fields named in errors",
  MODEL_UNPRICED: "add the model's price to the file in YAGATE_PRICES_FILE, or omit maxCostUsd",
  QUOTA_EXCEEDED: "wait as long as Retry-After says, or delete what you do not need",
  UNAVAILABLE: "try again shortly",
  TOO_MANY_TOOLS: "exclude tools that are not needed",
  SOURCE_UNREACHABLE:
    "check that the source is running and that its URL is correct; the accepted definitions stay in use",
  SOURCE_UNAUTHORIZED: "check the signing secret or the credential of the source; if it uses OAuth, sign in again",
  MANIFEST_INVALID: "correct what the source publishes; the accepted definitions stay in use",

  // Signed calls, as the handler kit checks them.
  SIGNATURE_MISSING: "send the call with an X-YA-Signature header, as the gateway does",
  SIGNATURE_MALFORMED: "send X-YA-Signature as 1 to 10 entries, each sha256= followed by 64 lower-case hex digits",
  SIGNATURE_MISMATCH: "check that both sides use the same signing secret and that nothing changes the body",
  TIMESTAMP_TOO_OLD:
    "the call is older than the tolerance allows: check both clocks; if they are right, the call is a replay",
  TIMESTAMP_IN_FUTURE: "the call's timestamp is in the future: check both clocks",
  BODY_ALREADY_PARSED: "mount the tool handler before any body parser",
  PAYLOAD_INVALID: "send a tool call as the protocol defines it",
  CALL_CONFLICT: "use a new toolCallId for a different tool or different arguments",
  SECRET_INVALID: "use a signing secret: whsec_ and the base64 of 24 to 64 bytes, without spaces",

  // The client, in the caller's process.
  NOT_FINISHED: "the execution is still running; follow it with executions.events, or end it with executions.cancel",
  CONNECTION_FAILED: "check that the gateway is running and that baseUrl is its URL",
  SECRET_IN_CASSETTE:
    "save the value as a secret of the workspace, which recordings mask, or change the tool so that it does not return the value",
};

/** Returns the default hint of a code, for an error without a custom hint. */
export function defaultHint(code: ErrorCode): string {
  return ERROR_HINTS[code];
}

import { describe, expect, it } from "vitest";
import { ERROR_TABLE, type ErrorCode, isErrorCode } from "../../src/index.ts";

/** The traits of each code that are true, apart from its status and hint. */
const TRAITS: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENTS: "retryable decision",
  UNKNOWN_TOOL: "decision",
  TOOL_NOT_LOADED: "retryable decision",
  TIMEOUT: "retryable transient",
  NETWORK_ERROR: "retryable transient",
  TLS_ERROR: "",
  URL_BLOCKED: "decision block",
  DNS_BLOCKED: "retryable block",
  CREDENTIAL_MISSING: "retryable decision block",
  CREDENTIAL_UNKNOWN: "retryable decision block",
  CREDENTIAL_LEAK: "decision block",
  RATE_LIMITED: "retryable transient decision block",
  WEBHOOK_NOT_ENABLED: "decision block",
  WEBHOOK_NOT_REGISTERED: "decision block",
  HANDLER_ERROR: "retryable transient",
  HANDLER_GONE: "",
  REDIRECT_REFUSED: "",
  INVALID_RESPONSE: "",
  INVALID_RESPONSE_SIGNATURE: "",
  RESPONSE_TOO_LARGE: "",
  ENDPOINT_DISABLED: "",
  CIRCUIT_OPEN: "",
  POLICY_DENIED: "decision",
  APPROVAL_DENIED: "decision",
  APPROVAL_EXPIRED: "decision",
  BUDGET_EXCEEDED: "decision",
  CANCELLED: "decision",
  OUTCOME_UNKNOWN: "",
  NOT_CONFIGURED: "",
  TOOL_HELD: "decision",
  TOOL_REMOVED: "decision",
  INPUT_EXPIRED: "decision",
  INPUT_REFUSED: "decision",
  DEPENDENCY_FAILED: "decision",
  NO_ROUTE: "decision",
  REPLAY_DIVERGED: "decision",
  MODEL_ERROR: "retryable transient",
  INTERNAL: "unsigned",
  MALFORMED_HEADERS: "",
  MALFORMED_JSON: "",
  UNAUTHENTICATED: "",
  FORBIDDEN: "",
  NOT_FOUND: "",
  METHOD_NOT_ALLOWED: "",
  CONFLICT: "",
  GONE: "",
  BODY_TOO_LARGE: "unsigned",
  INVALID_REQUEST: "",
  MODEL_UNPRICED: "",
  QUOTA_EXCEEDED: "retryable transient",
  UNAVAILABLE: "retryable transient",
  TOO_MANY_TOOLS: "",
  SOURCE_UNREACHABLE: "retryable transient",
  SOURCE_UNAUTHORIZED: "",
  MANIFEST_INVALID: "",
  SIGNATURE_MISSING: "setup unsigned",
  SIGNATURE_MALFORMED: "setup unsigned",
  SIGNATURE_MISMATCH: "setup unsigned",
  TIMESTAMP_TOO_OLD: "setup",
  TIMESTAMP_IN_FUTURE: "setup",
  BODY_ALREADY_PARSED: "setup unsigned",
  PAYLOAD_INVALID: "setup unsigned",
  CALL_CONFLICT: "",
  SECRET_INVALID: "",
  NOT_FINISHED: "retryable transient",
  CONNECTION_FAILED: "retryable transient",
};

const codes = Object.keys(TRAITS).filter((code): code is ErrorCode => isErrorCode(code));

describe("the error table", () => {
  it("has these codes", () => {
    expect(Object.keys(ERROR_TABLE).toSorted()).toEqual(codes.toSorted());
  });

  it.each(codes)("says of %s what it is", (code) => {
    const { isRetryable, isTransient, isDecision, isBlock, isSetupFault, isUnsigned, ...others } = ERROR_TABLE[code];
    const names = [
      isRetryable && "retryable",
      isTransient && "transient",
      isDecision && "decision",
      isBlock && "block",
      isSetupFault && "setup",
      isUnsigned && "unsigned",
    ];
    expect(names.filter((name) => name !== false).join(" ")).toBe(TRAITS[code]);
    expect(others).toEqual({ status: expect.any(Number), hint: expect.stringMatching(/[^.]$/) });
  });

  it.each(codes.filter((code) => ERROR_TABLE[code].isTransient))("lets %s, which is transient, be retried", (code) => {
    expect(ERROR_TABLE[code].isRetryable).toBe(true);
  });
});

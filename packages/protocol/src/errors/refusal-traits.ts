import type { ErrorCode } from "./error-traits.ts";

/** Traits of codes that reject a call or end a request. A trait that is not set for a code is false. */
export interface RefusalTraits {
  /**
   * Whether the same request can succeed later without a change. A code that is retryable but not transient requires a
   * change, such as other arguments.
   */
  readonly isTransient: boolean;
  /**
   * Whether the gateway itself decided against the call. If so, it requests no fallback from the caller, because a
   * fallback would override this decision.
   */
  readonly isDecision: boolean;
  /**
   * Whether one of the gateway's rules for requests blocked the call. If nothing was sent, the event has a
   * `blockReason`.
   */
  readonly isBlock: boolean;
  /**
   * Whether a handler rejects calls with this code because of how it is deployed, so that only the handler's operator
   * can fix it.
   */
  readonly isSetupFault: boolean;
  /** Whether the handler kit sends the code in an unsigned response, because it has not verified the sender yet. */
  readonly isUnsigned: boolean;
}

/** The {@link RefusalTraits} of each code. Only `ERROR_TABLE` contains them; builds for edge runtimes omit them. */
export const REFUSAL_TRAITS: Readonly<Partial<Record<ErrorCode, Partial<RefusalTraits>>>> = {
  INVALID_ARGUMENTS: { isDecision: true },
  UNKNOWN_TOOL: { isDecision: true },
  TOOL_NOT_LOADED: { isDecision: true },
  TIMEOUT: { isTransient: true },
  NETWORK_ERROR: { isTransient: true },
  URL_BLOCKED: { isDecision: true, isBlock: true },
  // Not a decision: if the name of a handler cannot be resolved, the handler is unavailable, and fallbacks exist for
  // that.
  DNS_BLOCKED: { isBlock: true },
  CREDENTIAL_MISSING: { isDecision: true, isBlock: true },
  CREDENTIAL_UNKNOWN: { isDecision: true, isBlock: true },
  CREDENTIAL_LEAK: { isDecision: true, isBlock: true },
  RATE_LIMITED: { isTransient: true, isDecision: true, isBlock: true },
  WEBHOOK_NOT_ENABLED: { isDecision: true, isBlock: true },
  WEBHOOK_NOT_REGISTERED: { isDecision: true, isBlock: true },
  HANDLER_ERROR: { isTransient: true },
  POLICY_DENIED: { isDecision: true },
  APPROVAL_DENIED: { isDecision: true },
  APPROVAL_EXPIRED: { isDecision: true },
  BUDGET_EXCEEDED: { isDecision: true },
  CANCELLED: { isDecision: true },
  TOOL_HELD: { isDecision: true },
  TOOL_REMOVED: { isDecision: true },
  INPUT_EXPIRED: { isDecision: true },
  INPUT_REFUSED: { isDecision: true },
  DEPENDENCY_FAILED: { isDecision: true },
  NO_ROUTE: { isDecision: true },
  REPLAY_DIVERGED: { isDecision: true },
  MODEL_ERROR: { isTransient: true },
  INTERNAL: { isUnsigned: true },

  BODY_TOO_LARGE: { isUnsigned: true },
  QUOTA_EXCEEDED: { isTransient: true },
  SOURCE_UNREACHABLE: { isTransient: true },
  UNAVAILABLE: { isTransient: true },

  SIGNATURE_MISSING: { isSetupFault: true, isUnsigned: true },
  SIGNATURE_MALFORMED: { isSetupFault: true, isUnsigned: true },
  SIGNATURE_MISMATCH: { isSetupFault: true, isUnsigned: true },
  // Signed: the kit checks the age of a call after the signature.
  TIMESTAMP_TOO_OLD: { isSetupFault: true },
  TIMESTAMP_IN_FUTURE: { isSetupFault: true },
  BODY_ALREADY_PARSED: { isSetupFault: true, isUnsigned: true },
  PAYLOAD_INVALID: { isSetupFault: true, isUnsigned: true },

  NOT_FINISHED: { isTransient: true },
  CONNECTION_FAILED: { isTransient: true },
};

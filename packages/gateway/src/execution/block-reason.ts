import type { CallState } from "./machine/state.ts";

/** The gateway's own codes of a call that it kept from leaving, and what the record calls the reason. */
const BLOCK_REASONS: Readonly<Record<string, string>> = {
  POLICY_DENIED: "policy_denied",
  APPROVAL_DENIED: "approval_denied",
  APPROVAL_EXPIRED: "approval_expired",
  RATE_LIMITED: "rate_limited",
  WEBHOOK_NOT_ENABLED: "webhook_not_enabled",
  WEBHOOK_NOT_REGISTERED: "webhook_not_registered",
  CREDENTIAL_MISSING: "credential_missing",
  URL_BLOCKED: "url_not_allowed",
  CREDENTIAL_UNKNOWN: "credential_unknown",
  CREDENTIAL_LEAK: "credential_leak",
  DNS_BLOCKED: "dns_validation_failed",
};

/** Why the gateway kept a call from leaving; undefined: it did not. */
export function blockReasonOf({ status, error }: CallState): string | undefined {
  const code = error?.source === "gateway" && (status === "failed" || status === "denied") ? error.code : undefined;
  const reason = code !== undefined && Object.hasOwn(BLOCK_REASONS, code) ? BLOCK_REASONS[code] : undefined;
  return reason ?? (status === "denied" ? "policy_denied" : undefined);
}

import type { ErrorCode } from "./errors/error-traits.ts";
import type { ToolErrorRecord } from "./schemas/tool-error.ts";

/** Codes whose reason is not the code in lower case. */
const REASONS: Readonly<Record<string, string>> = {
  URL_BLOCKED: "url_not_allowed",
  DNS_BLOCKED: "dns_validation_failed",
};

/** Codes of rules of the gateway that block a call, in addition to policies and approvers. */
const BLOCK_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "RATE_LIMITED",
  "WEBHOOK_NOT_ENABLED",
  "WEBHOOK_NOT_REGISTERED",
  "CREDENTIAL_MISSING",
  "CREDENTIAL_UNKNOWN",
  "CREDENTIAL_LEAK",
  "URL_BLOCKED",
  "DNS_BLOCKED",
]);

/**
 * Returns the `blockReason` of a call that ended with this code: `credential_leak`, `dns_validation_failed`,
 * `rate_limited`, `url_not_allowed`, otherwise the code in lower case.
 */
export function blockReasonOf(code: string): string {
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? code.toLowerCase();
}

/** Whether a rule of the gateway blocked the call that failed with this error. */
export function isBlocked({ code, source, outcome }: Pick<ToolErrorRecord, "code" | "source" | "outcome">): boolean {
  return source === "gateway" && outcome === "none" && BLOCK_CODES.has(code);
}

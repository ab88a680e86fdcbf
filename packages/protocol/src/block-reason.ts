import { isErrorCode } from "./errors/error-traits.ts";
import { REFUSAL_TRAITS } from "./errors/refusal-traits.ts";
import type { ToolErrorRecord } from "./schemas/tool-error.ts";

/** Codes whose reason is not the code in lower case. */
const REASONS: Readonly<Record<string, string>> = {
  URL_BLOCKED: "url_not_allowed",
  DNS_BLOCKED: "dns_validation_failed",
};

/**
 * Returns the `blockReason` of a call that was blocked with this code: `credential_leak`, `dns_validation_failed`,
 * `rate_limited` or `url_not_allowed` for some codes, and otherwise the code in lower case.
 */
export function blockReasonOf(code: string): string {
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? code.toLowerCase();
}

/** Checks whether a rule of the gateway blocked the call that failed with this error. */
export function isBlocked({ code, source, outcome }: Pick<ToolErrorRecord, "code" | "source" | "outcome">): boolean {
  return source === "gateway" && outcome === "none" && isErrorCode(code) && REFUSAL_TRAITS[code]?.isBlock === true;
}

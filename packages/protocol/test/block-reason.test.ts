import { blockReasonOf, isBlocked } from "@yagate/protocol";
import { expect, it } from "vitest";

const failed = (code: string) => ({ code, source: "gateway", outcome: "none" }) as const;

it.each([
  ["CREDENTIAL_LEAK", "credential_leak"],
  ["DNS_BLOCKED", "dns_validation_failed"],
  ["RATE_LIMITED", "rate_limited"],
  ["URL_BLOCKED", "url_not_allowed"],
  ["CREDENTIAL_MISSING", "credential_missing"],
  ["CREDENTIAL_UNKNOWN", "credential_unknown"],
  ["WEBHOOK_NOT_ENABLED", "webhook_not_enabled"],
  ["WEBHOOK_NOT_REGISTERED", "webhook_not_registered"],
])("%s of the gateway blocks a call, and its reason is %s", (code, reason) => {
  expect(isBlocked(failed(code))).toBe(true);
  expect(blockReasonOf(code)).toBe(reason);
});

it.each(["TIMEOUT", "HANDLER_ERROR", "NETWORK_ERROR", "INVALID_ARGUMENTS", "constructor"])(
  "%s blocks nothing",
  (code) => {
    expect(isBlocked(failed(code))).toBe(false);
    expect(blockReasonOf(code)).toBe(code.toLowerCase());
  },
);

it("a handler that answers a code of ours has not blocked its call, nor has anybody where something may have left", () => {
  expect(isBlocked({ ...failed("RATE_LIMITED"), source: "handler" })).toBe(false);
  expect(isBlocked({ ...failed("RATE_LIMITED"), outcome: "unknown" })).toBe(false);
});

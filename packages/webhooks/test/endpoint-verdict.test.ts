import { EgressError, type EgressErrorCode } from "@yagate/egress";
import { describe, expect, it } from "vitest";
import { verdictOfError, verdictOfStatus } from "../src/endpoints/circuit-breaker.ts";

describe("for the circuit of an endpoint", () => {
  it.each([
    [200, "working"],
    [302, "working"],
    [404, "working"],
    [408, "working"],
    [428, "working"],
    [429, "failing"],
    [499, "working"],
    [500, "failing"],
    [503, "failing"],
    [599, "failing"],
  ])("a response with %i is %s", (status, verdict) => {
    expect(verdictOfStatus(status)).toBe(verdict);
  });

  it.each<[EgressErrorCode, string, { isTemporary?: boolean; answerStatus?: number; hasFullTime?: boolean }]>([
    ["NETWORK_ERROR", "failing", {}],
    ["TLS_ERROR", "failing", {}],
    ["TIMEOUT", "failing", {}],
    ["TIMEOUT", "nothing", { hasFullTime: false }],
    ["DNS_BLOCKED", "failing", { isTemporary: true }],
    ["DNS_BLOCKED", "nothing", { isTemporary: false }],
    ["RESPONSE_TOO_LARGE", "working", {}],
    ["RESPONSE_TOO_LARGE", "failing", { answerStatus: 503 }],
    ["INVALID_RESPONSE", "working", {}],
    ["REDIRECT_REFUSED", "working", {}],
    ["CANCELLED", "nothing", {}],
    ["URL_BLOCKED", "nothing", {}],
    ["INVALID_ARGUMENTS", "nothing", {}],
  ])("an attempt that ended with %s is %s, with %o", (code, verdict, { hasFullTime = true, ...details }) => {
    const error = new EgressError(code, "it failed", { reason: "it failed", ...details });
    expect(verdictOfError(error, hasFullTime)).toBe(verdict);
  });
});

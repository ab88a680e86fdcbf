import { describe, expect, it } from "vitest";
import { classifyNetworkResponse } from "../../../src/tools/http/network-response.ts";

const NOW = Date.parse("2026-11-21T06:00:00Z");
const body = { value: { error: "no" }, text: '{"error":"no"}', keptBytes: 14 };

const answer = (status: number, headers: Record<string, string> = {}) =>
  classifyNetworkResponse({ status, headers, isCut: false }, body, NOW);

describe("a response with the status", () => {
  it.each([200, 201, 204, 299])("%i is a result", (status) => {
    expect(answer(status)).toEqual({ result: { status, contentType: null, body: { error: "no" } } });
  });

  it.each([300, 302, 308, 399])("%i is a redirect that is not followed", (status) => {
    const failure = { code: "REDIRECT_REFUSED", isRetryable: false, outcome: "none" };
    const details = { status, location: "https://b.example/" };
    expect(answer(status, { location: "https://b.example/" })).toMatchObject({ failure: { ...failure, details } });
  });

  it.each([
    [400, false, "details.body explains what the service rejected; correct the request"],
    [401, false, "the service denies access; do not try to work around it, but tell the user"],
    [403, false, "the service denies access; do not try to work around it, but tell the user"],
    [404, false, "the requested resource does not exist; check the path and the ids"],
    [408, true, "details.body explains what the service rejected; correct the request"],
    [409, false, "details.body explains what the service rejected; correct the request"],
    [410, false, "the requested resource does not exist; check the path and the ids"],
    [425, true, "details.body explains what the service rejected; correct the request"],
    [429, true, "the service limits the rate of requests; reply with what you know, or retry once later"],
    [500, true, "the service itself failed; continue without it, or retry once later"],
    [503, true, "the service itself failed; continue without it, or retry once later"],
  ])("%i is HANDLER_ERROR, which may be retried after Retry-After: %s", (status, isRetryable, hint) => {
    const details = { status, contentType: null, body: { error: "no" } };
    const failure = { code: "HANDLER_ERROR", outcome: "none", isRetryable, hint, details };
    const classified = answer(status, { "retry-after": "7" });
    expect(classified).toMatchObject({ failure });
    if (isRetryable) expect(classified).toHaveProperty("failure.retryAfterMs", 7_000);
    else expect(classified).not.toHaveProperty("failure.retryAfterMs");
  });
});

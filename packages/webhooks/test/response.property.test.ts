import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyResponse } from "../src/response.ts";

const now = Date.parse("2026-11-21T06:00:00.000Z");
const status = fc.integer({ min: 200, max: 999 });
const error = fc.record(
  {
    code: fc.oneof(fc.constant("SOLD_OUT"), fc.string(), fc.integer()),
    message: fc.oneof(fc.string({ unit: "binary" }), fc.constant(null)),
    retryable: fc.oneof(fc.boolean(), fc.string()),
    hint: fc.oneof(fc.string(), fc.integer()),
    details: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record(
      { result: fc.jsonValue(), error: fc.oneof(error, fc.jsonValue()), pending: fc.boolean() },
      { requiredKeys: [] },
    )
    .map((answer) => JSON.stringify(answer)),
);

describe("whatever a handler answers", () => {
  it("is a result with 2xx only, or a failure that says all that the machine must know", () => {
    fc.assert(
      fc.property(
        status,
        fc.option(body, { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        fc.boolean(),
        (...answer) => {
          const [code, text, retryAfter, isAsync] = answer;
          const meaning = classifyResponse({ status: code, isAsync, text, retryAfter, now });
          if ("pending" in meaning) {
            expect({ code, isAsync }).toEqual({ code: 202, isAsync: true });
            expect(JSON.parse(text ?? "")).toHaveProperty("pending", true);
            return;
          }
          if ("result" in meaning) {
            expect(code).toBeLessThan(300);
            expect(JSON.parse(text ?? "")).toHaveProperty("result", meaning.result);
            return;
          }
          if (!("failure" in meaning)) throw new Error("expected a result, a pending result or a failure");
          const { failure } = meaning;
          expect(failure.code).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
          expect(failure.message.length).toBeLessThanOrEqual(2_000);
          expect(["handler", "gateway"]).toContain(failure.source);
          expect(failure.outcome).toBe(
            failure.code === "INVALID_RESPONSE" && failure.source === "gateway" ? "unknown" : "none",
          );
          const mayHelpLater = [408, 425, 429].includes(code) || (code >= 500 && code < 600);
          if (failure.isRetryable) expect(mayHelpLater || (code < 300 && failure.source === "handler")).toBe(true);
          if (failure.retryAfterMs !== undefined) expect(mayHelpLater && failure.retryAfterMs >= 0).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is its result when it has one that JSON can hold", () => {
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes("__proto__"));
    fc.assert(
      fc.property(value, (result) => {
        const text = JSON.stringify({ result });
        const meaning = classifyResponse({ status: 200, isAsync: false, text, retryAfter: undefined, now });
        expect(meaning).toEqual({ result: JSON.parse(text).result });
      }),
    );
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { type RateLimitRow, takeFrom } from "../src/quotas/rate-limits.ts";

const WINDOW_MS = 1_000;

it("no window has more calls than its limit, and none is refused that had room", () => {
  const waits = fc.array(fc.record({ wait: fc.nat(400), skew: fc.integer({ min: -3_000, max: 500 }) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(waits, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), (calls, first, second) => {
      const limits = [
        { key: "first", limit: first, windowMs: WINDOW_MS },
        { key: "second", limit: second, windowMs: 2 * WINDOW_MS },
      ];
      let rows: readonly RateLimitRow[] = [];
      let now = 1_000_000;
      const made: number[] = [];
      const inWindow = (end: number, windowMs: number) =>
        made.filter((moment) => moment > end - windowMs && moment <= end).length;
      for (const { wait, skew } of calls) {
        now += wait;
        const at = Math.max(now + skew, made.at(-1) ?? 0);
        const taken = takeFrom(rows, limits, now + skew);
        const hasRoom = limits.every(({ limit, windowMs }) => inWindow(at, windowMs) < limit);
        expect("rows" in taken).toBe(hasRoom);
        if ("rows" in taken) {
          rows = taken.rows;
          made.push(at);
        } else {
          // A moment earlier there is still no room, and then there is.
          const { retryAfterMs } = taken.refusal;
          expect(takeFrom(rows, limits, at + retryAfterMs - 1)).toHaveProperty("refusal");
          expect(takeFrom(rows, limits, at + retryAfterMs)).toHaveProperty("rows");
        }
      }
      for (const moment of made) {
        for (const { limit, windowMs } of limits) expect(inWindow(moment, windowMs)).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 300 },
  );
});

import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import type { RateLimit } from "../../src/quotas/rate-limits.ts";
import { NOW } from "../support/fixtures.ts";

const MINUTE_MS = 60_000;

const perMinute = (key: string, limit: number): RateLimit => ({ key, limit, windowMs: MINUTE_MS });

export function describeRateLimits(store: () => Store): void {
  const take = (limits: readonly RateLimit[], now = NOW) => store().rateLimits.takeCall({ limits, now });

  describe("rate limits", () => {
    it("allow exactly their number of calls in any window, and report when the next one is allowed", async () => {
      const limits = [perMinute("a", 2)];
      expect(await take(limits)).toEqual({ allowed: true });
      expect(await take(limits, NOW + 10_000)).toEqual({ allowed: true });
      expect(await take(limits, NOW + 20_000)).toEqual({ allowed: false, key: "a", retryAfterMs: 40_000 });
      expect(await take(limits, NOW + 59_999)).toMatchObject({ allowed: false, retryAfterMs: 1 });
      expect(await take(limits, NOW + MINUTE_MS)).toEqual({ allowed: true });
      expect(await take(limits, NOW + MINUTE_MS)).toMatchObject({ allowed: false, retryAfterMs: 10_000 });
    });

    it("count what was allowed alone", async () => {
      await take([perMinute("a", 1)]);
      for (let tries = 0; tries < 5; tries += 1)
        expect(await take([perMinute("a", 1)])).toMatchObject({ allowed: false });
      expect(await take([perMinute("a", 1)], NOW + MINUTE_MS)).toEqual({ allowed: true });
    });

    it("take from all keys or from none, and name the one that is in the way longest", async () => {
      await take([perMinute("full", 1)], NOW + 5_000);
      await take([perMinute("fuller", 1)], NOW + 9_000);
      const all = [perMinute("empty", 1), perMinute("fuller", 1), perMinute("full", 1)];
      expect(await take(all, NOW + 10_000)).toEqual({ allowed: false, key: "fuller", retryAfterMs: 59_000 });
      expect(await take([perMinute("empty", 1)], NOW + 10_000)).toEqual({ allowed: true });
    });

    it("also hold for a replica with a slow clock", async () => {
      const limits = [perMinute("a", 2)];
      await take(limits, NOW + 30_000);
      await take(limits, NOW - 90_000);
      expect(await take(limits, NOW - 90_000)).toMatchObject({ allowed: false, retryAfterMs: MINUTE_MS });
      expect(await take(limits, NOW + 89_999)).toMatchObject({ allowed: false });
      expect(await take(limits, NOW + 90_000)).toEqual({ allowed: true });
    });

    it("hold at once when they are lowered", async () => {
      for (let count = 0; count < 5; count += 1) await take([perMinute("a", 5)], NOW + count * 1_000);
      expect(await take([perMinute("a", 2)], NOW + 10_000)).toMatchObject({ retryAfterMs: 53_000 });
      expect(await take([perMinute("a", 9)], NOW + 10_000)).toEqual({ allowed: true });
    });

    it("hold for a crowd that comes at once, whatever keys its calls have in common", async () => {
      const limits = [perMinute("a", 7), perMinute("b", 4), perMinute("c", 100)];
      const crowd = Array.from({ length: 40 }, (_, index) => take(index % 2 === 0 ? limits : limits.toReversed()));
      const allowed = (await Promise.all(crowd)).filter((taken) => taken.allowed);
      expect(allowed).toHaveLength(4);
      expect(await take([perMinute("a", 5)])).toEqual({ allowed: true });
    });

    it.each<[string, readonly RateLimit[]]>([
      ["of no call", [perMinute("a", 0)]],
      ["of more calls than are remembered", [perMinute("a", 1_001)]],
      ["that name a key twice", [perMinute("a", 1), perMinute("a", 2)]],
    ])("%s are a defect", async (_what, limits) => {
      await expect(take(limits)).rejects.toMatchObject({ code: "INTERNAL" });
    });

    it("let everything through where there is none", async () => {
      expect(await take([])).toEqual({ allowed: true });
    });

    it("leave nothing behind once their calls count no more", async () => {
      for (const key of ["a", "b", "c"]) await take([perMinute(key, 9)]);
      await take([perMinute("c", 9)], NOW + MINUTE_MS);
      const { eventStore } = store();
      // A minute more, for replicas whose clocks differ.
      expect(await eventStore.deleteExpired(NOW + 2 * MINUTE_MS - 1, 10)).toBe(0);
      expect(await eventStore.deleteExpired(NOW + 2 * MINUTE_MS, 1)).toBe(1);
      expect(await eventStore.deleteExpired(NOW + 2 * MINUTE_MS, 10)).toBe(1);
      expect(await take([perMinute("c", 1)], NOW + MINUTE_MS + 1)).toMatchObject({ allowed: false });
    });
  });
}

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { IdempotencyStore } from "../../../src/index.ts";
import { BUDGET_MS, claim, holderOf, KEEP_MS, outcome } from "./claims.ts";
import type { StoreWorld } from "./store-world.ts";

const never = new AbortController().signal;
const MARGIN_MS = 20_000;
/** Waited for, but long enough for a busy machine to make the claim in half of it. */
const LAPSES_SOON_MS = 800;

export interface StoreUnderTest {
  begin(): Promise<StoreWorld>;
  /** Whether several processes may have it open. */
  readonly isShared: boolean;
}

/** What every idempotency store must do. */
export function describeIdempotencyStore(name: string, { begin, isShared }: StoreUnderTest): void {
  describe(name, () => {
    let world: StoreWorld;
    let store: IdempotencyStore;
    /** The same entries, seen by somebody else. */
    let other: IdempotencyStore;

    beforeEach(async () => {
      world = await begin();
      [store, other] = await Promise.all([world.open(), world.open()]);
    });
    afterEach(() => world.close());

    it("gives one of many claims at once to one holder", async () => {
      const claims = Array.from({ length: 50 }, (_, index) => claim(index % 2 === 0 ? store : other));
      const states = (await Promise.all(claims)).map(({ state }) => state);
      expect(states.filter((state) => state === "claimed")).toHaveLength(1);
      expect(states.filter((state) => state === "in_flight")).toHaveLength(49);
    });

    it("gives one of many claims at once to one holder when the call was released before", async () => {
      await store.release("tc_1", await holderOf(store), outcome());
      const claims = Array.from({ length: 20 }, (_, index) => claim(index % 2 === 0 ? store : other));
      const states = (await Promise.all(claims)).map(({ state }) => state);
      expect(states.filter((state) => state === "claimed")).toHaveLength(1);
    });

    it("hands out the outcome of a completed call", async () => {
      const completed = { status: 200, body: "{1}", attempt: 7 };
      await store.complete("tc_1", await holderOf(store), completed);
      expect(await claim(other)).toEqual({ state: "finished", outcome: completed });
    });

    it("lets a released call be claimed again, by another holder", async () => {
      const first = await holderOf(store);
      await store.release("tc_1", first, outcome());
      expect(await holderOf(other)).not.toBe(first);
    });

    describe("another fingerprint under the same key is a conflict while the call", () => {
      it.each<[string, (holder: string) => Promise<void>]>([
        ["is running", async () => {}],
        ["is finished", (holder) => store.complete("tc_1", holder, outcome())],
        ["was released", (holder) => store.release("tc_1", holder, outcome())],
        ["has lapsed", () => world.age(BUDGET_MS)],
      ])("%s", async (_name, end) => {
        await end(await holderOf(store));
        expect(await claim(other, "tc_1", "other")).toEqual({ state: "conflict" });
      });
    });

    describe("a claim whose holder died", () => {
      it("lapses with the call's budget, and no earlier", async () => {
        await holderOf(store);
        await world.age(BUDGET_MS - MARGIN_MS);
        expect((await claim(other)).state).toBe("in_flight");
        await world.age(MARGIN_MS);
        expect((await claim(other)).state).toBe("claimed");
      });

      it.each(["complete", "release"] as const)("can't %s the call of the next holder", async (method) => {
        const dead = await holderOf(store);
        await world.age(BUDGET_MS);
        const alive = await holderOf(other);
        await store[method]("tc_1", dead, outcome("{dead}"));
        expect((await claim(other)).state).toBe("in_flight");
        await other.complete("tc_1", alive, outcome("{alive}"));
        expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{alive}") });
      });

      it("may still complete a call that nobody else has claimed since", async () => {
        const holder = await holderOf(store);
        await world.age(BUDGET_MS);
        await store.complete("tc_1", holder, outcome("{late}"));
        expect(await claim(other)).toEqual({ state: "finished", outcome: outcome("{late}") });
      });
    });

    describe("a run that ends twice", () => {
      it("is finished when it was released at its deadline and then succeeded", async () => {
        const holder = await holderOf(store);
        await store.release("tc_1", holder, outcome("{timeout}"));
        await store.complete("tc_1", holder, outcome("{late}"));
        expect(await claim(other)).toEqual({ state: "finished", outcome: outcome("{late}") });
      });

      it("stays finished, with its first outcome, whatever comes afterwards", async () => {
        const holder = await holderOf(store);
        await store.complete("tc_1", holder, outcome("{first}"));
        await store.release("tc_1", holder, outcome("{second}"));
        await store.complete("tc_1", holder, outcome("{third}"));
        expect(await claim(other)).toEqual({ state: "finished", outcome: outcome("{first}") });
      });

      it("does not end the run of whoever claimed the call after its release", async () => {
        const first = await holderOf(store);
        await store.release("tc_1", first, outcome());
        await holderOf(other);
        await store.complete("tc_1", first, outcome("{late}"));
        expect((await claim(other)).state).toBe("in_flight");
      });
    });

    describe("waiting", () => {
      it.each(["complete", "release"] as const)("ends with the outcome when the holder calls %s", async (method) => {
        const holder = await holderOf(store);
        const waits = [store.wait("tc_1", never), store.wait("tc_1", never), other.wait("tc_1", never)];
        await store[method]("tc_1", holder, outcome("{x}", 3));
        expect(await Promise.all(waits)).toEqual(Array(3).fill(outcome("{x}", 3)));
      });

      it("ends without an outcome when the signal aborts, before or after it began", async () => {
        await holderOf(store);
        const controller = new AbortController();
        const waits = [store.wait("tc_1", controller.signal), other.wait("tc_1", controller.signal)];
        controller.abort();
        expect(await Promise.all(waits)).toEqual([undefined, undefined]);
        expect(await store.wait("tc_1", controller.signal)).toBeUndefined();
      });

      it("goes on for the others when one of them gives up", async () => {
        const holder = await holderOf(store);
        const controller = new AbortController();
        const patient = other.wait("tc_1", never);
        const impatient = other.wait("tc_1", controller.signal);
        controller.abort();
        expect(await impatient).toBeUndefined();
        await store.complete("tc_1", holder, outcome("{x}"));
        expect(await patient).toEqual(outcome("{x}"));
      });

      it("ends without an outcome when the claim lapses", async () => {
        await holderOf(store, "tc_1", LAPSES_SOON_MS);
        expect(await other.wait("tc_1", never)).toBeUndefined();
        // Timers may be a millisecond early.
        await expect.poll(async () => (await claim(other)).state).toBe("claimed");
      });

      it("ends at once when nobody has ever run the call", async () => {
        expect(await store.wait("tc_1", never)).toBeUndefined();
      });

      it("is not disturbed by the end of another call", async () => {
        const [first, second] = [await holderOf(store, "tc_1"), await holderOf(store, "tc_2")];
        const waits = [other.wait("tc_1", never), other.wait("tc_2", never)];
        await store.complete("tc_2", second, outcome("{2}"));
        expect(await waits[1]).toEqual(outcome("{2}"));
        await store.complete("tc_1", first, outcome("{1}"));
        expect(await waits[0]).toEqual(outcome("{1}"));
      });
    });

    describe("what is remembered", () => {
      it("lives as long as it must, counted from the end of the run", async () => {
        const holder = await holderOf(store);
        await world.age(BUDGET_MS - MARGIN_MS);
        await store.complete("tc_1", holder, outcome());
        await world.age(KEEP_MS - MARGIN_MS);
        expect((await claim(other)).state).toBe("finished");
        await world.age(MARGIN_MS);
        expect((await claim(other, "tc_1", "other")).state).toBe("claimed");
      });

      it.each([
        ["a released call", (holder: string) => store.release("tc_1", holder, outcome())],
        ["a finished call", (holder: string) => store.complete("tc_1", holder, outcome())],
      ])("of %s keeps its fingerprint as long", async (_name, end) => {
        await end(await holderOf(store));
        await world.age(KEEP_MS - MARGIN_MS);
        expect((await claim(other, "tc_1", "other")).state).toBe("conflict");
      });

      it("comes back byte for byte", async () => {
        const bodies = [
          '{"result":"äöü 🦉 \\u0000 \\ud800"}',
          `{"result":"${"x".repeat(1024 * 1024)}"}`,
          "",
          "\n'\"\\;--",
        ];
        for (const [index, body] of bodies.entries()) {
          const key = `tc_${index}`;
          await store.complete(key, await holderOf(store, key), outcome(body));
          expect(await claim(other, key)).toEqual({ state: "finished", outcome: outcome(body) });
        }
      });

      it("is kept apart by key, whatever characters it has", async () => {
        const keys = ["tc_a", "tc_A", "tc_ä", "tc_a\u0308", "tc_🦉", "tc_:", "tc_%", "tc_'; --", "tc_ "];
        for (const key of keys) await store.complete(key, await holderOf(store, key), outcome(JSON.stringify(key)));
        for (const key of keys) {
          expect(await claim(other, key)).toEqual({ state: "finished", outcome: outcome(JSON.stringify(key)) });
        }
      });

      it("is kept apart by a fingerprint of any characters and 1 024 of them", async () => {
        const fingerprint = "🦉\\u0000'".repeat(113);
        await claim(store, "tc_1", fingerprint);
        expect((await claim(other, "tc_1", fingerprint)).state).toBe("in_flight");
        expect((await claim(other, "tc_1", `${fingerprint}x`)).state).toBe("conflict");
      });
    });

    describe.runIf(isShared)("shared by several processes, it", () => {
      it("measures time by its own clock, whatever that of a process says", async () => {
        await holderOf(store);
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 365 * 86_400_000 });
        try {
          expect((await claim(other)).state).toBe("in_flight");
          const holder = await holderOf(other, "tc_2");
          await other.complete("tc_2", holder, outcome());
        } finally {
          vi.useRealTimers();
        }
        await world.age(KEEP_MS);
        expect((await claim(store, "tc_2")).state).toBe("claimed");
      });

      it("tells how the run ended even who begins to wait after its end", async () => {
        await store.release("tc_1", await holderOf(store), outcome("{gone}"));
        expect(await other.wait("tc_1", never)).toEqual(outcome("{gone}"));
      });

      it("keeps the calls of tenants apart", async () => {
        const names = ["", "a", "a:", "A", "ä 🦉", "a%3A"];
        const tenants = await Promise.all(names.map((tenant) => world.open({ tenant })));
        for (const [index, tenant] of tenants.entries()) {
          await tenant.complete("tc_1", await holderOf(tenant), outcome(`{${index}}`));
        }
        for (const [index, tenant] of tenants.entries()) {
          expect(await claim(tenant)).toEqual({ state: "finished", outcome: outcome(`{${index}}`) });
        }
      });
    });
  });
}

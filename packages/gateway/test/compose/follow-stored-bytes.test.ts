import { followStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import { expect, it } from "vitest";
import { createLargeStoreWarning } from "../../src/compose/large-store-warning.ts";

const GIB = 1_073_741_824;

it("figures are partial until everything was counted once, and what fails is told and tried again", async () => {
  let goOn = () => {};
  let hasPaused = Promise.withResolvers<number>();
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      goOn = resolve;
      hasPaused.resolve(ms);
    });
  /** @returns for how long it rests. */
  const next = async () => {
    hasPaused = Promise.withResolvers();
    goOn();
    return hasPaused.promise;
  };
  let now = 1_000;
  const outcomes: (boolean | Error)[] = [false, new Error("away"), false, true, false];
  const bytes = new Map([
    ["ws_a", 10],
    ["ws_b", 5],
  ]);
  const errors: unknown[] = [];
  const { known, start, stop } = followStoredBytes({
    store: {
      async advance() {
        const outcome = outcomes.shift() ?? true;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      totals: async () => new Map(bytes),
    },
    now: () => now,
    onTotal: () => undefined,
    onError: (error) => errors.push(error),
    pause,
  });
  start();
  expect(await hasPaused.promise).toBeLessThan(5_000);
  expect([known.of("ws_a"), known.of("ws_c"), known.total(), known.isPartial()]).toEqual([10, 0, 15, true]);
  expect(await next()).toBe(5_000);
  expect(errors).toMatchObject([{ message: "away" }]);
  expect(known.isPartial()).toBe(true);
  expect(await next()).toBeLessThan(5_000);
  expect(await next()).toBe(5_000);
  expect([known.isPartial(), known.asOf()]).toEqual([false, 1_000]);
  now = 6_000;
  bytes.set("ws_c", 7);
  expect(await next()).toBeLessThan(5_000);
  expect(await next()).toBe(5_000);
  expect([known.of("ws_c"), known.isPartial(), known.asOf()]).toEqual([7, false, 6_000]);
  const stopped = stop();
  goOn();
  await stopped;
});

it("the log warns each time that the store passes 10 GiB, with what to do", () => {
  const lines: unknown[] = [];
  const warnIfLarge = createLargeStoreWarning({ warn: (fields: unknown) => void lines.push(fields) });
  for (const size of [1, 10 * GIB, 10 * GIB + 1, 11 * GIB, 9 * GIB]) warnIfLarge(size);
  expect(lines).toEqual([
    {
      storedBytes: 10 * GIB + 1,
      threshold: 10 * GIB,
      advice: expect.stringContaining("YAGATE_EXECUTION_RETENTION_DAYS"),
    },
  ]);
  warnIfLarge(12 * GIB);
  expect(lines).toHaveLength(2);
});

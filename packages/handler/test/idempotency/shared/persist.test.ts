import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type PersistOptions, persist } from "../../../src/idempotency/shared/persist.ts";
import { createGate } from "../../support/gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const passing = new Error("busy");
const final = new Error("no such table");

/** A step that fails as often as errors are given, and then succeeds. */
function stepThat(...failures: Error[]) {
  return vi.fn(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return "done";
  });
}

function options(changed: Partial<PersistOptions<string>> = {}): PersistOptions<string> {
  return { limitMs: 1_000, isTransient: (error) => error === passing, ...changed };
}

describe("a step of a database", () => {
  it("is done once when it succeeds, and leaves no timer behind", async () => {
    const step = stepThat();
    expect(await persist(step, options())).toBe("done");
    expect(step).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is tried again after a failure that may pass", async () => {
    const step = stepThat(passing, passing, passing);
    const persisted = persist(step, options());
    await vi.advanceTimersByTimeAsync(100);
    expect(await persisted).toBe("done");
    expect(step).toHaveBeenCalledTimes(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not tried again after one that won't", async () => {
    const step = stepThat(final);
    await expect(persist(step, options())).rejects.toBe(final);
    expect(step).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is given up when its time is over, with the last failure as the cause", async () => {
    const step = stepThat(...Array(1_000).fill(passing));
    const refused = expect(persist(step, options())).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "the idempotency store did not respond within 1000 ms",
      cause: passing,
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    const tries = step.mock.calls.length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(30);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(step).toHaveBeenCalledTimes(tries);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that never answers is given up, and its late result is heard of", async () => {
    const gate = createGate<string>();
    const onLate = vi.fn();
    const refused = expect(persist(() => gate.opened, options({ onLate }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    gate.open("late");
    await vi.advanceTimersByTimeAsync(0);
    expect(onLate).toHaveBeenCalledExactlyOnceWith("late");
  });
});

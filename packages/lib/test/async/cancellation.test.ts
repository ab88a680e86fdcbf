import { describe, expect, it } from "vitest";
import { Cancellation, type CancelSignal, toAbortSignal } from "../../src/async/cancellation.ts";

/** A signal and its cancellation. */
interface Source {
  readonly signal: CancelSignal;
  readonly abort: () => void;
}

const REASON = new Error("no longer needed");

const sources: [name: string, create: () => Source][] = [
  [
    "an AbortController",
    () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort(REASON) };
    },
  ],
  [
    "a cancellation",
    () => {
      const cancellation = new Cancellation();
      return { signal: cancellation.signal, abort: () => cancellation.abort(REASON) };
    },
  ],
];

describe.each(sources)("the signal of %s", (_name, create) => {
  it("calls each listener once, in the order in which they were added", () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const [first, second] = [() => calls.push(`first ${signal.aborted}`), () => calls.push("second")];
    for (const listener of [first, second, first]) signal.addEventListener("abort", listener, { once: true });
    expect(signal.aborted).toBe(false);
    abort();
    abort();
    expect(calls).toEqual(["first true", "second"]);
    expect(signal.aborted).toBe(true);
  });

  it("does not call a listener that was removed, also by an earlier one, or that came too late", () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const removed = () => calls.push("removed");
    const removedByFirst = () => calls.push("removed by the first");
    signal.addEventListener("abort", removed);
    signal.removeEventListener("abort", removed);
    signal.addEventListener("abort", () => signal.removeEventListener("abort", removedByFirst));
    signal.addEventListener("abort", removedByFirst);
    abort();
    signal.addEventListener("abort", () => calls.push("late"));
    expect(calls).toEqual([]);
  });

  it("becomes an AbortSignal, before and after the cancellation", () => {
    const { signal, abort } = create();
    const before = toAbortSignal(signal);
    expect(before).toBeInstanceOf(AbortSignal);
    expect(before.aborted).toBe(false);
    abort();
    for (const converted of [before, toAbortSignal(signal)]) {
      expect(converted.aborted).toBe(true);
      expect(converted.reason).toBe(REASON);
    }
  });
});

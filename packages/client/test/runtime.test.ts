import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemRuntime } from "../src/runtime.ts";

describe("the system's runtime", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sleeps as long as it was told, and leaves nothing on the signal", async () => {
    const { signal } = new AbortController();
    let isOver = false;
    const sleep = systemRuntime.sleep(1_000, signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);

    await vi.advanceTimersByTimeAsync(1);
    await sleep;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("wakes with the signal's reason, and leaves no timer", async () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const sleep = systemRuntime.sleep(1_000, controller.signal);
    controller.abort(reason);

    await expect(sleep).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not fall asleep under a signal that was aborted before", async () => {
    const reason = new Error("the user left");
    await expect(systemRuntime.sleep(1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("calls after a while, unless it was told not to", () => {
    const called: string[] = [];
    systemRuntime.after(10, () => called.push("first"));
    systemRuntime.after(10, () => called.push("second"))();
    vi.advanceTimersByTime(10);

    expect(called).toEqual(["first"]);
  });

  it("makes another key each time, of 128 random bits", () => {
    const keys = Array.from({ length: 100 }, () => systemRuntime.newIdempotencyKey());
    expect(new Set(keys).size).toBe(100);
    expect(keys.filter((key) => !/^[0-9a-f]{32}$/.test(key))).toEqual([]);
  });
});

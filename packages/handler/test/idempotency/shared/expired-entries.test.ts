import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EntryTable } from "../../../src/idempotency/shared/entry-table.ts";
import { ExpiredEntries } from "../../../src/idempotency/shared/expired-entries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function entriesOf(expired: number, isTransient = false) {
  let left = expired;
  const removeExpired = vi.fn(async (maxEntries: number) => {
    const removed = Math.min(left, maxEntries);
    left -= removed;
    return removed;
  });
  const unused = () => Promise.reject(new Error("not expected"));
  const table: EntryTable = { claim: unused, end: unused, look: unused, removeExpired, isTransient: () => isTransient };
  return { entries: new ExpiredEntries(table), removeExpired, left: () => left };
}

/** As many claims as given, one after another. */
async function claims(entries: ExpiredEntries, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    entries.removeSome();
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe("beside claims", () => {
  it("one batch a claim is removed as long as there is much, then one a second", async () => {
    const { entries, removeExpired, left } = entriesOf(1_200);
    await claims(entries, 10);
    expect(left()).toBe(0);
    expect(removeExpired).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(1_000);
    await claims(entries, 10);
    expect(removeExpired).toHaveBeenCalledTimes(4);
  });

  it("never two batches are removed at once", () => {
    const { entries, removeExpired } = entriesOf(10_000);
    entries.removeSome();
    entries.removeSome();
    expect(removeExpired).toHaveBeenCalledTimes(1);
  });

  it("a failure that will not pass is told once", async () => {
    const { entries, removeExpired } = entriesOf(1);
    removeExpired.mockRejectedValueOnce(new Error("permission denied"));
    await claims(entries, 1);
    expect(() => entries.throwFailure()).toThrow("can't remove expired entries");
    expect(() => entries.throwFailure()).not.toThrow();
  });

  it("a failure that may pass is not, and is made good later", async () => {
    const { entries, removeExpired, left } = entriesOf(1, true);
    removeExpired.mockRejectedValueOnce(new Error("connection reset"));
    await claims(entries, 5);
    expect(() => entries.throwFailure()).not.toThrow();
    expect(removeExpired).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await claims(entries, 1);
    expect(left()).toBe(0);
  });
});

it("all can be removed, batch after batch", async () => {
  const { entries, removeExpired } = entriesOf(1_700);
  expect(await entries.removeAll()).toBe(1_700);
  expect(removeExpired).toHaveBeenCalledTimes(4);
});

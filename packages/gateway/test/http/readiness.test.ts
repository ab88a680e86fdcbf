import { YagateError } from "@yagate/protocol";
import { describe, expect, it, vi } from "vitest";
import { createReadiness, type ReadinessCheck } from "../../src/http/readiness/readiness.ts";

const fine: ReadinessCheck = async () => undefined;
const failing = (error: Error): ReadinessCheck => {
  return () => Promise.reject(error);
};

function readinessOf(checks: Readonly<Record<string, ReadinessCheck>>) {
  const clock = { now: 0 };
  return { clock, readiness: createReadiness({ checks, monotonicNow: () => clock.now, timeoutMs: 50 }) };
}

describe("readiness", () => {
  it("names what was looked at", async () => {
    expect(await readinessOf({ journal: fine, lease: fine }).readiness.assertReady()).toEqual(["journal", "lease"]);
  });

  it("names each check that failed, with its reason", async () => {
    const full = new YagateError("UNAVAILABLE", "the disk is full");
    const { readiness } = readinessOf({ journal: failing(full), keys: fine, lease: failing(full) });
    await expect(readiness.assertReady()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "the gateway is not ready: journal, lease; see errors",
      fields: [
        { path: "journal", code: "NOT_READY", message: "the disk is full" },
        { path: "lease", code: "NOT_READY", message: "the disk is full" },
      ],
    });
  });

  it.each([
    ["a stranger's error", new Error("connect postgres://yagate:planted@db")],
    ["an error of our own inside", new YagateError("INTERNAL", "planted")],
  ])("tells nobody the text of %s", async (_what, error) => {
    const refusal = readinessOf({ journal: failing(error) }).readiness.assertReady();
    await expect(refusal).rejects.toMatchObject({ fields: [{ message: "the check failed; the log has the details" }] });
  });

  it("tells the log why, with the causes and without what looks like a secret", async () => {
    const cause = new Error("refused Bearer plantedplanted");
    const error = new Error("connect ECONNREFUSED", { cause });
    const { readiness } = readinessOf({ journal: failing(error), keys: () => Promise.reject("text") });
    await expect(readiness.assertReady()).rejects.toMatchObject({
      isDraining: false,
      reasons: {
        journal: "connect ECONNREFUSED: refused Bearer [redacted]",
        keys: "a value that is not an error was thrown",
      },
    });
  });

  it("waits for no check longer than it may take", async () => {
    const { readiness } = readinessOf({ journal: () => new Promise(() => undefined), keys: fine });
    await expect(readiness.assertReady()).rejects.toMatchObject({
      fields: [{ path: "journal", message: "expected a result within 50 ms" }],
    });
  });

  it("asks once for all who ask at the same time, and again only after a moment when all was well", async () => {
    const journal = vi.fn(fine);
    const { readiness, clock } = readinessOf({ journal });
    await Promise.all([readiness.assertReady(), readiness.assertReady()]);
    await readiness.assertReady();
    expect(journal).toHaveBeenCalledTimes(1);
    clock.now = 250;
    journal.mockRejectedValueOnce(new YagateError("UNAVAILABLE", "gone"));
    await expect(readiness.assertReady()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await readiness.assertReady();
    expect(journal).toHaveBeenCalledTimes(3);
  });

  it("is over once it drains, however well everything is", async () => {
    const { readiness } = readinessOf({ journal: fine });
    await readiness.assertReady();
    readiness.drain();
    await expect(readiness.assertReady()).rejects.toMatchObject({ fields: [{ path: "draining" }], isDraining: true });
  });
});

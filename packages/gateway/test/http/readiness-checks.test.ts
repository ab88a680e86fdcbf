import { join } from "node:path";
import { appendTo } from "@yagate/store/events/event-store";
import { watchWrites } from "@yagate/store/events/store-layers";
import type { Store } from "@yagate/store/port";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { assertMasterKeys } from "../../../secrets/src/canary.ts";
import { parseMasterKeys } from "../../../secrets/src/keyring.ts";
import { createSealer, type Sealer } from "../../../secrets/src/seal.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { appendOf, executionOf } from "../../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { createReadinessChecks } from "../../src/http/readiness/readiness-checks.ts";
import { createLease } from "../../src/scheduler/lease.ts";

const sealerOf = (byte: number) => createSealer(parseMasterKeys(`k1:${Buffer.alloc(32, byte).toString("base64")}`));

interface World {
  readonly store: Store;
  readonly clock: { now: number };
  readonly dataDir: string;
  checksWith(change?: { sealer?: Sealer; minFreeDiskBytes?: number; dataDir?: string | undefined }): Promise<{
    failing(): Promise<readonly string[]>;
    readonly lease: ReturnType<typeof createLease>;
    readonly writes: ReturnType<typeof watchWrites>;
  }>;
}

/** Real parts over a real file that can't grow past a few pages. */
async function openWorld(maxBytes: number): Promise<World> {
  const directory = await makeTemporaryDirectory();
  const dataDir = join(directory.path, "data");
  const store = await openSqliteStore({ dataDir, maxBytes });
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  const clock = { now: 0 };
  const monotonicNow = () => clock.now;
  return {
    store,
    clock,
    dataDir,
    async checksWith(change = {}) {
      const sealer = sealerOf(7);
      await assertMasterKeys(store.settings, sealer);
      const writes = watchWrites(store.eventStore, monotonicNow);
      const lease = createLease({
        owner: "replica-1",
        renew: async () => undefined,
        onError: () => undefined,
        now: Date.now,
        monotonicNow,
      });
      await lease.start();
      onTestFinished(() => lease.stop());
      const checks = createReadinessChecks({ store, writes, sealer, lease, dataDir, minFreeDiskBytes: 0, ...change });
      const failing = async () => {
        const outcomes = Object.entries(checks).map(async ([name, check]) =>
          check().then(
            () => undefined,
            (error: Error) => `${name}: ${error.message}`,
          ),
        );
        return (await Promise.all(outcomes)).filter((problem) => problem !== undefined);
      };
      return { failing, lease, writes };
    },
  };
}

let world: World;
beforeEach(async () => {
  world = await openWorld(600_000);
});

describe("a gateway", () => {
  it("is ready when nothing is wrong", async () => {
    const { failing } = await world.checksWith();
    expect(await failing()).toEqual([]);
  });

  it("is not ready when its journal can't grow, although a small value still fits", async () => {
    const { failing, writes } = await world.checksWith();
    const { execution } = await writes.eventStore.create(executionOf("ws_a"));
    const append = (expectedSeq: number, characters: number) => {
      const message = { role: "assistant", text: "x".repeat(characters) };
      const change = appendOf(execution.id, expectedSeq);
      return appendTo(writes.eventStore, {
        ...change,
        entries: change.entries.map((entry) => ({ ...entry, assistantMessage: message })),
      });
    };
    let seq = 0;
    // Until not even a page is left.
    for (const characters of [30_000, 3_000]) {
      while (await append(seq, characters).catch(() => undefined)) seq += 1;
    }
    expect(await failing()).toEqual([
      "journal: the store could not be read or written: the disk is full",
      "writes: the store could not be read or written: the disk is full",
    ]);
    // A refusal is forgotten after a while, or with the next write that succeeds: from then on a try says how it is.
    world.clock.now += 5_000;
    expect((await failing()).filter((problem) => problem.startsWith("writes"))).toEqual([]);
    await append(seq, 30_000).catch(() => undefined);
    expect((await failing()).filter((problem) => problem.startsWith("writes"))).toHaveLength(1);
    await appendTo(writes.eventStore, appendOf(execution.id, seq));
    expect((await failing()).filter((problem) => problem.startsWith("writes"))).toEqual([]);
  });

  it("is not ready when its lease ran out while it was frozen, and is again once it was renewed", async () => {
    const { failing, lease } = await world.checksWith();
    world.clock.now += 10_000;
    expect(await failing()).toEqual([expect.stringMatching(/^lease: the lease expired/)]);
    await lease.held();
    expect(await failing()).toEqual([]);
  });

  it.each([
    [
      "other master keys than its store's",
      { sealer: sealerOf(8) },
      /^keys: this data was encrypted with other master keys/,
    ],
    [
      "too little room on its disk",
      { minFreeDiskBytes: Number.MAX_SAFE_INTEGER },
      /^disk: expected at least .* free bytes on the disk/,
    ],
    ["a data directory that is gone", { dataDir: "/nowhere/at/all" }, /^disk: /],
  ])("is not ready with %s", async (_what, change, problem) => {
    const { failing } = await world.checksWith(change);
    expect(await failing()).toEqual([expect.stringMatching(problem)]);
  });

  it("asks no disk about a journal that is on another machine", async () => {
    const { failing } = await world.checksWith({ dataDir: undefined, minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
    expect(await failing()).toEqual([]);
  });
});

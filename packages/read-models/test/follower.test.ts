import { appendTo } from "@yagate/store/events/event-store";
import { openStore } from "@yagate/store/open-store";
import type { ReadModelStore, Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendOf, entryOf, executionOf, NOW } from "../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { createFollower, type FollowerOptions } from "../src/follower.ts";

const HOUR = { step: 3_600, from: NOW, until: NOW + 1 };

describe("the follower", () => {
  let directory: TemporaryDirectory;
  let store: Store;
  const errors: unknown[] = [];
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    store = await openStore({ dataDir: directory.path, databaseUrl: undefined });
    errors.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await directory.remove();
  });

  const follower = (change: Partial<FollowerOptions> = {}) =>
    createFollower({
      ...{ store: store.readModels, owner: "a", executionRetentionDays: undefined, now: () => NOW },
      onError: (error) => void errors.push(error),
      ...change,
    });

  async function execute(): Promise<void> {
    const { id } = (await store.eventStore.create(executionOf("ws_a"))).execution;
    const entries = [entryOf(id, 1, { type: "execution.completed" })];
    await appendTo(store.eventStore, { ...appendOf(id, 0, { status: "completed" }), entries });
  }
  const ended = async () =>
    (await store.readModels.points("ws_a", HOUR, ["executions"])).reduce((sum, { value }) => sum + value, 0);

  it("reads what has changed, and reports when nothing is left", async () => {
    for (let count = 0; count < 70; count += 1) await execute();
    expect(await follower().look()).toBe(true);
    expect(await ended()).toBe(70);
  });

  it("keeps up in the background, and stops", async () => {
    const running = follower();
    running.start();
    await execute();
    await expect.poll(ended).toBe(1);
    await execute();
    await expect.poll(ended).toBe(2);
    await running.stop();
    await execute();
    expect(await ended()).toBe(2);
  });

  it("does nothing while another replica has the claim", async () => {
    await execute();
    const claimed: ReadModelStore = { ...store.readModels, claim: async () => false };
    expect(await follower({ store: claimed }).look()).toBe(undefined);
    expect(await ended()).toBe(0);
  });

  it("goes on after a failure of the store", async () => {
    await execute();
    let failures = 1;
    const failing: ReadModelStore = {
      ...store.readModels,
      advance: (fold, limit) => {
        if (failures > 0) {
          failures -= 1;
          return Promise.reject(new Error("lost"));
        }
        return store.readModels.advance(fold, limit);
      },
    };
    const running = follower({ store: failing });
    running.start();
    await expect.poll(ended).toBe(1);
    await running.stop();
    expect(errors).toEqual([new Error("lost")]);
  });

  it.each([
    ["31 days", undefined, 32, 1],
    ["31 days", undefined, 30, 0],
    ["as long as executions", 2, 3, 1],
    ["no longer than 31 days", 90, 32, 1],
  ])("keeps metrics %s", async (_what, executionRetentionDays, days, deleted) => {
    await execute();
    await follower().look();
    await follower({ executionRetentionDays, now: () => NOW + days * 86_400_000 }).look();
    expect(await ended()).toBe(1 - deleted);
  });
});

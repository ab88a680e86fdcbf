import { appendTo } from "@yagate/store/events/event-store";
import { openStore } from "@yagate/store/open-store";
import type { ReadModelStore, Store } from "@yagate/store/port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { appendOf, entryOf, executionOf, NOW } from "../../store/test/support/fixtures.ts";
import { createFollower, type Follower } from "../src/follower.ts";

const HOUR = { step: 3_600, from: NOW, until: NOW + 1 };
/** How long a test waits for what comes by itself: long enough for a busy machine. */
const PATIENTLY = { timeout: 20_000, interval: 20 } as const;

describe.skipIf(!hasPostgres())("followers of two replicas", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  interface Replica {
    readonly store: Store;
    readonly follower: Follower;
    /** How often it has advanced the read models. */
    steps(): number;
  }

  async function replica(owner: string, databaseUrl: string): Promise<Replica> {
    const store = await openStore({ dataDir: "", databaseUrl });
    let steps = 0;
    const readModels: ReadModelStore = {
      ...store.readModels,
      advance(fold, limit) {
        steps += 1;
        return store.readModels.advance(fold, limit);
      },
    };
    const follower = createFollower({
      ...{ store: readModels, owner, executionRetentionDays: undefined, now: Date.now },
      onError: (error) => expect.fail(`${error}`),
    });
    follower.start();
    onTestFinished(async () => {
      await follower.stop();
      await store.close();
    });
    return { store, follower, steps: () => steps };
  }

  async function endOne({ eventStore }: Store): Promise<void> {
    const { id } = (await eventStore.create(executionOf("ws_a"))).execution;
    const entries = [entryOf(id, 1, { type: "execution.completed" })];
    await appendTo(eventStore, { ...appendOf(id, 0, { status: "completed" }), entries });
  }

  const ended = async ({ readModels }: Store) =>
    (await readModels.points("ws_a", HOUR, ["executions"])).reduce((sum, { value }) => sum + value, 0);

  it("take turns: one works, at most 2 s behind, until another takes over", async () => {
    const databaseUrl = await server.createDatabase();
    const first = await replica("first", databaseUrl);
    await expect.poll(first.steps, PATIENTLY).toBeGreaterThan(0);
    const second = await replica("second", databaseUrl);

    const delays: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      await endOne(count % 2 === 0 ? first.store : second.store);
      const committedAt = performance.now();
      await expect.poll(() => ended(second.store), PATIENTLY).toBe(count);
      delays.push(performance.now() - committedAt);
    }
    expect(second.steps()).toBe(0);
    // The median, because a busy machine may delay one of them.
    expect(delays.toSorted((left, right) => left - right)[2]).toBeLessThan(2_000);

    await first.follower.stop();
    const steps = first.steps();
    await endOne(first.store);
    await expect.poll(() => ended(first.store), PATIENTLY).toBe(6);
    expect(second.steps()).toBeGreaterThan(0);
    expect(first.steps()).toBe(steps);
  });
});

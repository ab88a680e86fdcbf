import { newCallId } from "@yagate/lib/ids/call-ids";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { appendTo } from "../src/events/event-store.ts";
import { newOwner } from "../src/events/stored-form.ts";
import type { Store } from "../src/port.ts";
import { migrate } from "../src/postgres/migrations/migrate.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { execute } from "./support/execute.ts";
import { appendOf, entryOf, executionOf, LEASE_MS, NOW } from "./support/fixtures.ts";

const PATIENTLY = { timeout: 10_000, interval: 250 } as const;
const MESSAGE = { headers: {}, body: "{}", bodyBytes: 2, isTruncated: false };

interface Rows {
  readonly call_ids: number;
  readonly exchanges: number;
  readonly in_append: boolean;
}

const IN_FORM_1: Rows = { call_ids: 2, exchanges: 1, in_append: false };
const IN_FORM_2: Rows = { call_ids: 0, exchanges: 0, in_append: true };

describe.skipIf(!hasPostgres())("the stored form on PostgreSQL", () => {
  async function open(databaseUrl: string): Promise<Store> {
    const store = await openPostgresStore({ databaseUrl, connections: 8, now: () => NOW });
    onTestFinished(() => store.close());
    return store;
  }

  const setMinReader = (databaseUrl: string, form: number) =>
    execute(databaseUrl, "UPDATE settings SET value = $1 WHERE name = 'stored_form.min_reader'", [`${form}`]);
  const minReader = async (databaseUrl: string) =>
    (
      await execute<{ value: string }>(databaseUrl, "SELECT value FROM settings WHERE name = 'stored_form.min_reader'")
    )[0]?.value;

  /** As a migration leaves a database that older replicas may still share. */
  async function createSharedDatabase(): Promise<string> {
    const databaseUrl = await createMigratedDatabase();
    await execute(databaseUrl, "UPDATE yagate_migrations SET finished_at = NULL");
    await setMinReader(databaseUrl, 1);
    return databaseUrl;
  }

  /** Writes an execution with an attempt. @returns the id of the attempt. */
  async function write({ eventStore }: Store): Promise<string> {
    const { id } = (await eventStore.create(executionOf("ws_a"))).execution;
    const [toolCallId, attemptId] = [newCallId("toolCall", id, 1), newCallId("attempt", id, 2)];
    const entries = [
      entryOf(id, 1, { type: "tool_call.requested", toolCallId }),
      entryOf(id, 2, { type: "attempt.started", toolCallId, attemptId }),
    ];
    const exchanges = [{ attemptId, request: MESSAGE, response: null }];
    await appendTo(eventStore, appendOf(id, 0, { entries, exchanges }));
    return attemptId;
  }

  async function rowsOf(databaseUrl: string, attemptId: string): Promise<Rows | undefined> {
    const [row] = await execute<Rows>(
      databaseUrl,
      `SELECT (SELECT count(*)::integer FROM call_ids WHERE id = $1 OR tool_call_id IS NULL AND execution_id = e.id) AS call_ids,
         (SELECT count(*)::integer FROM exchanges WHERE attempt_id = $1) AS exchanges,
         (SELECT bool_or(exchanges IS NOT NULL) FROM appends WHERE execution_id = e.id) AS in_append
       FROM executions e WHERE e.id = $2`,
      [attemptId, `exec_${attemptId.slice(4, 30)}`],
    );
    return row;
  }

  it("is the newest in a new database", async () => {
    const databaseUrl = await createMigratedDatabase();
    const store = await open(databaseUrl);
    expect(store.eventStore.storedForm()).toBe(2);
    expect(await rowsOf(databaseUrl, await write(store))).toEqual(IN_FORM_2);
  });

  it("is one that older replicas read until the migration is finished; then each replica goes over", async () => {
    const databaseUrl = await createSharedDatabase();
    const [one, two] = [await open(databaseUrl), await open(databaseUrl)];
    expect(one.eventStore.storedForm()).toBe(1);
    const attempts = [await write(one), await write(two)];
    for (const id of attempts) expect(await rowsOf(databaseUrl, id)).toEqual(IN_FORM_1);

    expect(await migrate(databaseUrl, { isLast: true })).toMatchObject({ applied: 0 });
    expect(await migrate(databaseUrl, { isLast: true })).toMatchObject({ applied: 0 });
    expect(await minReader(databaseUrl)).toBe("2");
    for (const store of [one, two]) {
      await expect
        .poll(async () => {
          const id = await write(store);
          attempts.push(id);
          return rowsOf(databaseUrl, id);
        }, PATIENTLY)
        .toEqual(IN_FORM_2);
      expect(store.eventStore.storedForm()).toBe(2);
    }
    for (const store of [one, two]) {
      for (const id of attempts) {
        const executionId = `exec_${id.slice(4, 30)}`;
        const found = { executionId, request: MESSAGE, response: null };
        expect(await store.eventStore.findAttempt(id, "ws_a")).toEqual(found);
        expect(await store.eventStore.findAttempt(id, "ws_b")).toBeUndefined();
      }
    }
  });

  it("keeps a process that can't read it from claiming, and from being ready", async () => {
    const databaseUrl = await createMigratedDatabase();
    const store = await open(databaseUrl);
    const { eventStore } = store;
    const lapsed = (await eventStore.create(executionOf("ws_a"))).execution.id;
    const due = (await eventStore.create(executionOf("ws_a", { leaseUntil: NOW + 9 * LEASE_MS }))).execution.id;
    await eventStore.release({ executionId: due, epoch: 1, expectedSeq: 0, wakeAt: NOW });
    await setMinReader(databaseUrl, 3);
    const claim = { owner: "owner-2", now: NOW + LEASE_MS + 1, leaseUntil: NOW + 5 * LEASE_MS, limit: 9 };
    const refusal = { code: "UNAVAILABLE", message: expect.stringContaining("stored form 3, and this version reads") };
    await expect(eventStore.claim({ ...claim, except: new Set() })).rejects.toMatchObject(refusal);
    await expect(eventStore.claimDue(claim)).rejects.toMatchObject(refusal);
    await expect(store.assertMigrated()).rejects.toMatchObject(refusal);
    expect(await execute(databaseUrl, "SELECT DISTINCT epoch::integer FROM executions")).toEqual([{ epoch: 1 }]);
    // It still finishes what it has begun, in a form that all others read.
    expect(await appendTo(eventStore, appendOf(lapsed, 0, { epoch: 1 }))).toBe("appended");

    await setMinReader(databaseUrl, 2);
    await store.assertMigrated();
    expect(await eventStore.claim({ ...claim, except: new Set() })).toMatchObject([{ id: lapsed }]);
    expect(await eventStore.claimDue(claim)).toMatchObject([{ id: due }]);
    expect(await eventStore.claimDue(claim)).toEqual([]);
  });

  it("does not change while replicas of an older version run executions, and names them", async () => {
    const databaseUrl = await createSharedDatabase();
    const { eventStore } = await open(databaseUrl);
    const leaseUntil = Date.now() + 60_000;
    const own = { owner: newOwner(), leaseUntil };
    const older = { owner: "att_01k9e5t8b8fxhv3c4n5p6q7r8s", leaseUntil };
    await eventStore.create(executionOf("ws_a", own));
    const first = (await eventStore.create(executionOf("ws_a", older))).execution.id;
    await eventStore.create(executionOf("ws_a", older));
    await eventStore.create(executionOf("ws_a", { owner: "att_of_the_past", leaseUntil: Date.now() - 1 }));
    await expect(migrate(databaseUrl, { isLast: true })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(": att_01k9e5t8b8fxhv3c4n5p6q7r8s (2); the migration was not finished"),
    });
    expect(await minReader(databaseUrl)).toBe("1");
    expect(await execute(databaseUrl, "SELECT FROM yagate_migrations WHERE finished_at IS NOT NULL")).toEqual([]);

    await appendTo(eventStore, appendOf(first, 0, { epoch: 1, status: "completed" }));
    await eventStore.renew({ owner: older.owner, leaseUntil: 0 });
    await migrate(databaseUrl, { isLast: true });
    expect(await minReader(databaseUrl)).toBe("2");
  });
});

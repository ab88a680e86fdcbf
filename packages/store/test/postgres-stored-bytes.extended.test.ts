import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../../../test/services/stored-bytes.ts";
import { appendTo } from "../src/events/event-store.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { startChild } from "./support/child.ts";
import { execute } from "./support/execute.ts";
import { appendOf, executionOf } from "./support/fixtures.ts";

describe.skipIf(!hasPostgres())("stored bytes on PostgreSQL", () => {
  async function openThree({ isFinished = true } = {}) {
    const databaseUrl = await createMigratedDatabase();
    if (!isFinished) await execute(databaseUrl, "UPDATE yagate_migrations SET finished_at = NULL");
    const open = () => openPostgresStore({ databaseUrl, connections: 8 });
    const stores = [await open(), await open(), await open()] as const;
    const recounted = async () => (await execute<RecountedBytes>(databaseUrl, RECOUNT_STORED_BYTES))[0]?.bytes;
    return { databaseUrl, stores, recounted };
  }

  it("are what the rows say after three writers were killed while three replicas summed", async () => {
    const { databaseUrl, stores, recounted } = await openThree();
    const writers = Array.from({ length: 3 }, () => startChild("postgres-appender.ts", databaseUrl));
    let isOver = false;
    const summing = stores.map(async ({ storedBytes }) => {
      while (!isOver) await storedBytes.advance();
    });
    await Promise.all(
      writers.map(async (writer, n) => {
        let lines = 0;
        for await (const chunk of writer.stdout ?? []) {
          lines += String(chunk).split("\n").length - 1;
          if (lines > 60 * (n + 1)) writer.kill("SIGKILL");
        }
        if (writer.exitCode === null && writer.signalCode === null) await once(writer, "exit");
        expect(writer.signalCode).toBe("SIGKILL");
      }),
    );
    // What the killed ones had sent may still be committed.
    const others =
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%appended AS%' AND pid <> pg_backend_pid()";
    await expect.poll(async () => (await execute<{ count: number }>(databaseUrl, others))[0]?.count).toBe(0);
    isOver = true;
    await Promise.all(summing);
    for (const { storedBytes } of stores) {
      while (!(await storedBytes.advance()));
      expect((await storedBytes.totals()).get("ws_a")).toBe(await recounted());
    }
    expect(await recounted()).toBeGreaterThan(10_000);
    for (const store of stores) await store.close();
  });

  it("of executions that an older replica made are counted, and a workspace can be recounted", async () => {
    const { databaseUrl, stores, recounted } = await openThree({ isFinished: false });
    const [{ eventStore, storedBytes }] = stores;
    const { execution } = await eventStore.create(executionOf("ws_a"));
    await storedBytes.advance();
    await execute(databaseUrl, "UPDATE executions SET stored_bytes = NULL");
    await execute(databaseUrl, "DELETE FROM workspace_stored_bytes");
    await execute(databaseUrl, "DELETE FROM settings WHERE name = 'stored_bytes.executions'");
    await appendTo(eventStore, appendOf(execution.id, 0));
    while (!(await storedBytes.advance()));
    expect((await storedBytes.totals()).get("ws_a")).toBe(await recounted());

    // What an older replica adds to a counted execution, and deletes.
    await execute(
      databaseUrl,
      "INSERT INTO appends (execution_id, last_seq, token, entries) VALUES ($1, 9, 1, '[1]')",
      [execution.id],
    );
    const { execution: deleted } = await eventStore.create(executionOf("ws_a"));
    await storedBytes.advance();
    await eventStore.create(executionOf("ws_a"));
    await execute(databaseUrl, "DELETE FROM execution_requests WHERE execution_id = $1", [deleted.id]);
    await execute(databaseUrl, "DELETE FROM executions WHERE id = $1", [deleted.id]);
    while (!(await storedBytes.advance()));
    expect((await storedBytes.totals()).get("ws_a")).not.toBe(await recounted());
    await execute(databaseUrl, "SELECT yagate_recount_stored_bytes('ws_a')");
    await eventStore.create(executionOf("ws_a"));
    while (!(await storedBytes.advance()));
    expect((await storedBytes.totals()).get("ws_a")).toBe(await recounted());
    for (const store of stores) await store.close();
  });

  it("are not looked for in rows any more after one look at a database without executions", async () => {
    const { databaseUrl, stores } = await openThree();
    const [{ eventStore, storedBytes }] = stores;
    expect(await storedBytes.advance()).toBe(true);
    const positions = async () => execute(databaseUrl, "SELECT name, value FROM settings WHERE name LIKE 'stored%'");
    const known = await positions();
    expect(known).toContainEqual({ name: "stored_bytes.walked", value: "1" });
    await eventStore.create(executionOf("ws_a"));
    expect(await storedBytes.advance()).toBe(true);
    expect(await positions()).toEqual(known);
    for (const store of stores) await store.close();
  });

  it("are not looked for in rows any more once all are counted and the migration is finished", async () => {
    const { databaseUrl, stores, recounted } = await openThree({ isFinished: false });
    const [{ eventStore, storedBytes }, , other] = stores;
    const setting = async (name: string) =>
      (
        await execute<{ value: string }>(databaseUrl, "SELECT value FROM settings WHERE name = $1", [
          `stored_bytes.${name}`,
        ])
      )[0]?.value;
    const position = () => setting("executions");
    const first = await eventStore.create(executionOf("ws_a"));
    while (!(await storedBytes.advance()));
    expect(await position()).toBe(first.execution.id);
    await execute(databaseUrl, "UPDATE yagate_migrations SET finished_at = now()");
    const second = await eventStore.create(executionOf("ws_a"));
    // A replica learns within seconds that the migration is finished.
    const walked = async () => {
      while (!(await other.storedBytes.advance()));
      return setting("walked");
    };
    await expect.poll(walked).toBeDefined();
    expect(await position()).toBe(second.execution.id);
    await eventStore.create(executionOf("ws_a"));
    while (!(await other.storedBytes.advance()));
    expect(await position()).toBe(second.execution.id);

    await execute(databaseUrl, "SELECT yagate_recount_stored_bytes('ws_a')");
    while (!(await other.storedBytes.advance()));
    expect((await storedBytes.totals()).get("ws_a")).toBe(await recounted());
    for (const store of stores) await store.close();
  });
});

import type { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteIdempotencyStore, type SqliteIdempotencyStoreOptions } from "../../src/sqlite.ts";
import { claim, holderOf, outcome } from "./conformance/claims.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { expectRefusedCall } from "./support/refused-call.ts";
import { createSqliteEntries, hasSqlite } from "./support/sqlite-entries.ts";

describe.skipIf(!hasSqlite)("in SQLite (needs a Node that has it)", () => {
  describeIdempotencyStore("through node:sqlite", {
    begin: async () => worldOf(await createSqliteEntries()),
    isShared: true,
  });

  /** A store, its file, and a second connection to it. */
  async function openFile(options: Partial<SqliteIdempotencyStoreOptions> = {}) {
    const { DatabaseSync } = await import("node:sqlite");
    const entries = await createSqliteEntries();
    const opened: DatabaseSync[] = [];
    const open = () => {
      const database = new DatabaseSync(entries.place.location);
      opened.push(database);
      return database;
    };
    onTestFinished(async () => {
      for (const database of opened) if (database.isOpen) database.close();
      await entries.remove();
    });
    const database = open();
    return { store: createSqliteIdempotencyStore({ database, ...options }), database, open, entries };
  }

  it("a store opened again knows what was called before", async () => {
    const { store, database, open } = await openFile();
    await store.complete("tc_1", await holderOf(store), outcome("{x}"));
    database.close();
    const again = createSqliteIdempotencyStore({ database: open() });
    expect(await claim(again)).toEqual({ state: "finished", outcome: outcome("{x}") });
  });

  it("waits while another connection writes, without blocking the process", async () => {
    const { store, open } = await openFile();
    await holderOf(store, "tc_0");
    const other = open();
    other.exec("BEGIN IMMEDIATE");
    const claimed = claim(store);
    // The claim has been tried by then, and refused: what follows is a try of its own.
    await new Promise(setImmediate);
    other.exec("COMMIT");
    expect((await claimed).state).toBe("claimed");
  });

  it("waits until a transaction on its own connection is over, so as not to be part of it", async () => {
    const { store, database } = await openFile();
    await holderOf(store, "tc_0");
    database.exec("BEGIN");
    const claimed = claim(store);
    await Promise.resolve();
    database.exec("ROLLBACK");
    expect((await claimed).state).toBe("claimed");
    expect((await claim(store)).state).toBe("in_flight");
  });

  it("says what is wrong when that transaction does not end", async () => {
    const { store, database } = await openFile({ timeoutMs: 50 });
    await holderOf(store, "tc_0");
    database.exec("BEGIN");
    const cause = { message: expect.stringContaining("give the store a separate connection") };
    await expect(claim(store)).rejects.toMatchObject({ code: "UNAVAILABLE", cause });
  });

  it.each<[string, (database: DatabaseSync, other: DatabaseSync) => void]>([
    ["is locked", (_database, other) => other.exec("BEGIN EXCLUSIVE")],
    ["was closed", (database) => database.close()],
  ])("a handler whose database %s refuses calls and runs nothing", async (_name, breakDown) => {
    const { store, database, open } = await openFile();
    await holderOf(store, "tc_0");
    breakDown(database, open());
    await expectRefusedCall(store);
  });

  it("removes what has expired beside new claims, and on demand", async () => {
    const { store, entries } = await openFile();
    for (const key of ["tc_1", "tc_2"]) await store.complete(key, await holderOf(store, key), outcome());
    await entries.age(1e9);
    expect(await store.removeExpired()).toBe(2);
    await store.complete("tc_3", await holderOf(store, "tc_3"), outcome());
    expect(await store.removeExpired()).toBe(0);
    expect(await entries.count()).toBe(1);
    await entries.age(1e9);
    const fresh = await openFileAgain(entries.place.location);
    await holderOf(fresh, "tc_4");
    await expect.poll(() => entries.count()).toBe(1);
  });

  async function openFileAgain(location: string) {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(location);
    onTestFinished(() => database.close());
    return createSqliteIdempotencyStore({ database });
  }

  it("does not make its table where it was told not to, until it is asked", async () => {
    const { store } = await openFile({ createTable: false, table: "my_calls" });
    await expect(claim(store)).rejects.toThrow("no such table: my_calls");
    await store.createTable();
    await store.createTable();
    expect((await claim(store)).state).toBe("claimed");
  });

  it("refuses a database whose rows are lists, at once", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(":memory:", { returnArrays: true });
    const store = createSqliteIdempotencyStore({ database });
    await holderOf(store);
    await expect(claim(store)).rejects.toThrow("expected each row as an object");
  });

  it("reads whole numbers as bigints too", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const store = createSqliteIdempotencyStore({ database: new DatabaseSync(":memory:", { readBigInts: true }) });
    await store.complete("tc_1", await holderOf(store), outcome());
    expect(await claim(store)).toEqual({ state: "finished", outcome: outcome() });
  });
});

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { appendTo } from "../src/events/event-store.ts";
import type { Store } from "../src/port.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { createExpiry } from "../src/sqlite/expiry.ts";
import { GroupCommit } from "../src/sqlite/group-commit.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { appendOf, executionOf, NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

const DAY_MS = 86_400_000;
const message = { headers: {}, body: "private", bodyBytes: 7, isTruncated: false };

let directory: TemporaryDirectory;
let store: Store;
let clock = NOW;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  store = await openSqliteStore({ dataDir: directory.path, form: 1, now: () => clock });
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

async function writeExchanges(count: number, at: number): Promise<void> {
  clock = at;
  const { execution } = await store.eventStore.create(executionOf("ws_a"));
  const exchanges = Array.from({ length: count }, (_, index) => ({
    attemptId: `att_${execution.id}_${index}`,
    request: message,
    response: null,
  }));
  await appendTo(store.eventStore, appendOf(execution.id, 0, { epoch: 1, exchanges }));
}

/** What so many calls delete, each of them. */
async function deletions(calls: number, now: number): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let call = 0; call < calls; call += 1) counts.push(await store.eventStore.deleteExpired(now, 25));
  return counts;
}

it("old exchanges are deleted although a clock that was ahead wrote others before them", async () => {
  await writeExchanges(26, NOW + 365 * DAY_MS);
  await writeExchanges(60, NOW);
  expect(await deletions(4, NOW + 30 * DAY_MS)).toEqual([25, 25, 10, 0]);
  // Those of the wrong clock go when they are as old as they say, and others after them meanwhile.
  await writeExchanges(1, NOW + 31 * DAY_MS);
  expect(await deletions(2, NOW + 60 * DAY_MS)).toEqual([1, 0]);
  expect(await deletions(3, NOW + 400 * DAY_MS)).toEqual([25, 1, 0]);
});

it("what could not be deleted behind others is found again by the next call", async () => {
  await writeExchanges(26, NOW + 365 * DAY_MS);
  await writeExchanges(30, NOW);
  await store.close();
  const connection = new SqliteConnection(join(directory.path, "journal.db"));
  const commits = new GroupCommit(connection, {});
  const write = vi.spyOn(commits, "write");
  const expire = createExpiry(connection, commits, 30 * DAY_MS);
  const now = NOW + 30 * DAY_MS + 1;
  // The first transaction finds nothing in front; the second is the deletion behind it.
  write.mockImplementationOnce(async (work) => work()).mockRejectedValueOnce(new Error("the disk is full"));
  await expect(expire(now, 25)).rejects.toThrow("the disk is full");
  expect([await expire(now, 25), await expire(now, 25), await expire(now, 25)]).toEqual([25, 5, 0]);
  commits.close();
  connection.close();
  store = await openSqliteStore({ dataDir: directory.path, form: 1, now: () => clock });
});

it("a search that finds nothing reads each row once", async () => {
  await writeExchanges(600, NOW);
  const connection = new SqliteConnection(join(directory.path, "journal.db"));
  onTestFinished(() => connection.close());
  const read = vi.spyOn(connection, "read");
  const expire = createExpiry(connection, new GroupCommit(connection), 30 * DAY_MS);
  expect(await expire(NOW, 25)).toBe(0);
  const rows = read.mock.settledResults.flatMap(({ value }) => value as readonly { readonly id: string }[]);
  expect(rows).toHaveLength(600);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(600);
});

it("a search among many rows continues where the last one ended, and restarts after the last row", async () => {
  await writeExchanges(5_100, NOW + 365 * DAY_MS);
  await writeExchanges(30, NOW);
  expect(await deletions(4, NOW + 30 * DAY_MS)).toEqual([0, 25, 5, 0]);
  await writeExchanges(1, NOW);
  expect((await deletions(3, NOW + 30 * DAY_MS)).reduce((sum, count) => sum + count)).toBe(1);
});

it("messages in the rows of appends are deleted by their age, whatever the order in which they were written", async () => {
  await store.close();
  store = await openSqliteStore({ dataDir: directory.path, now: () => clock });
  await writeExchanges(2, NOW + 365 * DAY_MS);
  for (let append = 0; append < 30; append += 1) await writeExchanges(2, NOW);
  expect(await deletions(3, NOW + 30 * DAY_MS)).toEqual([25, 5, 0]);
  expect(await deletions(2, NOW + 400 * DAY_MS)).toEqual([1, 0]);
  const database = new DatabaseSync(join(directory.path, "journal.db"));
  const left = "SELECT count(*) AS count FROM appends WHERE exchanges IS NOT NULL OR exchanged_at IS NOT NULL";
  expect(database.prepare(left).get()).toEqual({ count: 0 });
  database.close();
});

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SqlValue, sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { toStoreError } from "../src/sqlite/store-error.ts";
import { all, first } from "../src/unit-of-work.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

let directory: TemporaryDirectory;
let connection: SqliteConnection;
const path = () => join(directory.path, "test.db");

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  connection = new SqliteConnection(path());
  connection.configure({});
  connection.execute("CREATE TABLE pairs (a, b)");
});
afterEach(async () => {
  connection.close();
  await directory.remove();
});

it("is copied in one step, however often another connection writes meanwhile", async () => {
  const insert = connection.prepare("INSERT INTO pairs VALUES (?, ?)");
  for (let row = 0; row < 500; row += 1) insert.run(row, "x".repeat(4_096));
  const reader = new SqliteConnection(path(), { isReadOnly: true });
  let isCopied = false;
  const copy = reader.copyTo(join(directory.path, "copy.db")).then(() => {
    isCopied = true;
  });
  let written = 0;
  for (; !isCopied && written < 5_000; written += 1) {
    insert.run(written, "late");
    await new Promise(setImmediate);
  }
  await copy;
  reader.close();
  // A copy in several steps begins again with each write, so it ends only after the last one.
  expect(written).toBeLessThan(5_000);
});

it("keeps the pages of an existing file, and copies the log at the same number of bytes", () => {
  const old = join(directory.path, "old.db");
  const database = new DatabaseSync(old);
  database.exec("PRAGMA page_size = 4096; CREATE TABLE pairs (a, b)");
  database.close();
  const reopened = new SqliteConnection(old);
  reopened.configure({});
  expect(reopened.prepare("PRAGMA page_size").get()).toEqual({ page_size: 4_096 });
  expect(reopened.prepare("PRAGMA wal_autocheckpoint").get()).toEqual({ wal_autocheckpoint: 1_024 });
  reopened.close();
});

describe("the connection", () => {
  it.each([
    ["journal_mode", "wal"],
    // 2: FULL. The log is synced before a commit returns.
    ["synchronous", 2],
    ["page_size", 2_048],
    // 4 MiB.
    ["wal_autocheckpoint", 2_048],
  ])("runs with the pragma %s at %s", (pragma, value) => {
    expect(connection.prepare(`PRAGMA ${pragma}`).get()).toMatchObject({ [pragma]: value });
  });

  it.each<[string, unknown]>([
    ["a date", new Date(0)],
    ["an object", { a: 1 }],
    ["a boolean", true],
    ["undefined", undefined],
    ["a bigint", 1n],
    ["bytes", new Uint8Array(1)],
  ])("refuses to bind %s, which would shift or change columns", (_name, value) => {
    const statement = connection.prepare("INSERT INTO pairs VALUES (?, ?)");
    // Types refuse it too; what comes from outside may not have been checked.
    const values = [value, 1] as readonly SqlValue[];
    expect(() => statement.run(...values)).toThrow(expect.objectContaining({ code: "INTERNAL" }));
    expect(connection.prepare("SELECT * FROM pairs").all()).toEqual([]);
  });

  it("performs a unit of work, its values apart from its text", () => {
    const text = "'); DROP TABLE pairs; --";
    const rows = connection.perform(
      (function* () {
        yield* first(sql`INSERT INTO pairs VALUES (${text}, ${null})`);
        return yield* all(sql<{ a: string }>`SELECT a FROM pairs WHERE a = ${text} AND b IS NULL`);
      })(),
    );
    expect(rows).toEqual([expect.objectContaining({ a: text })]);
  });
});

describe("an error of SQLite", () => {
  it("is UNAVAILABLE with the reason when the file is read-only", () => {
    const reader = new DatabaseSync(path(), { readOnly: true });
    expect(captured(() => reader.exec("INSERT INTO pairs VALUES (1, 2)"))).toMatchObject({
      code: "UNAVAILABLE",
      message: "the store could not be read or written: the file is read-only",
    });
    reader.close();
  });

  it("is UNAVAILABLE with the reason when another program holds the file", () => {
    const other = new DatabaseSync(path());
    other.exec("BEGIN IMMEDIATE");
    const impatient = new DatabaseSync(path(), { timeout: 0 });
    expect(captured(() => impatient.exec("BEGIN IMMEDIATE"))).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("another process holds its lock"),
    });
    other.close();
    impatient.close();
  });

  it("is INTERNAL, without the statement, when the statement is wrong", () => {
    const error = captured(() => connection.execute("INSERT INTO nowhere VALUES ('secret')"));
    expect(error).toMatchObject({ code: "INTERNAL", message: "a statement on the store failed" });
  });
});

function captured(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return toStoreError(error);
  }
  throw new Error("expected an error");
}

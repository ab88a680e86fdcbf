import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../src/port.ts";
import { copyDatabase } from "../src/sqlite/copy-database.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { startChild } from "./support/child.ts";
import { executionOf } from "./support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

const isPosix = process.platform !== "win32";
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

let directory: TemporaryDirectory;
let dataDir: string;
let opened: Store | undefined;
let children: ChildProcess[];

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  dataDir = join(directory.path, "deep", "data");
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await opened?.close();
  opened = undefined;
  await directory.remove();
});

const inUse = () => ({
  code: "UNAVAILABLE",
  message: expect.stringContaining(`${dataDir} is used by another process`),
});

function startHolder(): ChildProcess {
  const child = startChild("sqlite-holder.ts", dataDir);
  children.push(child);
  return child;
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("expected the child's output");
  const [data] = await once(child.stdout, "data");
  return String(data).trim();
}

const databasePath = () => join(dataDir, "journal.db");

/** A store after a clean stop, with the given change. */
async function changedJournal(statements: string): Promise<Buffer> {
  await (await openSqliteStore({ dataDir })).close();
  const database = new DatabaseSync(databasePath());
  database.exec(statements);
  database.close();
  return readFile(databasePath());
}

/** A store that the next version has opened. */
async function nextJournal(): Promise<Buffer> {
  await changedJournal("SELECT 1");
  const database = new DatabaseSync(databasePath());
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  database.exec(`PRAGMA user_version = ${version + 1}`);
  database.close();
  return readFile(databasePath());
}

describe("the data directory", () => {
  it.runIf(isPosix)("is made for its owner alone, with all that is in it", async () => {
    opened = await openSqliteStore({ dataDir });
    await opened.eventStore.create(executionOf("ws_a"));
    expect(await modeOf(dataDir)).toBe("700");
    const files = await readdir(dataDir);
    expect(files).toContain("journal.db-wal");
    for (const file of files) expect([file, await modeOf(join(dataDir, file))]).toEqual([file, "600"]);
  });

  it.runIf(isPosix)("keeps the mode of a directory that was there", async () => {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o755);
    opened = await openSqliteStore({ dataDir });
    expect(await modeOf(dataDir)).toBe("755");
  });

  it("belongs to one store at a time within a process", async () => {
    opened = await openSqliteStore({ dataDir });
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject(inUse());
    expect(await opened.ping()).toBeUndefined();
    await opened.close();
    opened = await openSqliteStore({ dataDir });
  });

  it("is kept from other processes, also after this one has refused itself", async () => {
    opened = await openSqliteStore({ dataDir });
    // Closing any handle on the lock's file would drop the lock that this process holds.
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject(inUse());
    expect(await firstLineOf(startHolder())).toContain(`${dataDir} is used by another process`);
  });

  it("is free again once the process that held it was killed", async () => {
    const holder = startHolder();
    expect(await firstLineOf(holder)).toBe("open");
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject(inUse());
    holder.kill("SIGKILL");
    await once(holder, "exit");
    opened = await openSqliteStore({ dataDir });
  });

  it("says so when it cannot be made", async () => {
    await writeFile(join(directory.path, "deep"), "a file");
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/data directory .*deep.data cannot be used: E[A-Z]+$/),
    });
  });
});

describe("a store that this version cannot use", () => {
  it.each<[string, () => Promise<Buffer>, RegExp]>([
    [
      "of a newer version",
      () => changedJournal("PRAGMA user_version = 99"),
      /journal\.db was written by a newer version \(schema 99, this version supports \d+\)/,
    ],
    ["of another program", () => changedJournal("PRAGMA application_id = 7"), /is a database of another program/],
    [
      "that is no database",
      async () => {
        await mkdir(dataDir, { recursive: true });
        await writeFile(databasePath(), "to be or not to be, ".repeat(100));
        return readFile(databasePath());
      },
      /journal\.db cannot be opened: the file is not a database, or it is damaged/,
    ],
    [
      "whose first page is damaged",
      async () => {
        const bytes = await changedJournal("SELECT 1");
        bytes.fill(0xff, 100, 400);
        await writeFile(databasePath(), bytes);
        return bytes;
      },
      /journal\.db cannot be opened: the file is damaged/,
    ],
    ["of the next version", nextJournal, /journal\.db was written by a newer version/],
  ])("%s is refused, left as it is, and neither held nor copied", async (_name, prepare, message) => {
    const before = await prepare();
    const refusal = { code: "UNAVAILABLE", message: expect.stringMatching(message) };
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject(refusal);
    await expect(copyDatabase(databasePath(), join(directory.path, "copy.db"))).rejects.toMatchObject(refusal);
    expect(await readdir(directory.path)).toEqual(["deep"]);
    expect(before.equals(await readFile(databasePath()))).toBe(true);
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject(refusal);
  });

  it("distinguishes a damaged value from an empty one", async () => {
    opened = await openSqliteStore({ dataDir });
    const { execution } = await opened.eventStore.create(executionOf("ws_a"));
    await opened.close();
    await changedJournal("UPDATE executions SET summary = 'not JSON'");
    opened = await openSqliteStore({ dataDir });
    await expect(opened.eventStore.find(execution.id, "ws_a")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("damaged"),
    });
  });
});

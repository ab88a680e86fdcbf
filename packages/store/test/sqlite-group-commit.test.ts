import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { GroupCommit } from "../src/sqlite/group-commit.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

const SLOW_MS = 4;
/** Longest wait for more operations. */
const LONGEST_WAIT_MS = 20;

let directory: TemporaryDirectory;
let connection: SqliteConnection;
let commits: GroupCommit;
let commitMs: number;
let groups: number[];
let written: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  directory = await makeTemporaryDirectory();
  connection = new SqliteConnection(join(directory.path, "test.db"));
  connection.configure({});
  commitMs = SLOW_MS;
  groups = [];
  written = 0;
  const beforeCommit = () => {
    groups.push(written);
    written = 0;
    vi.advanceTimersByTime(commitMs);
  };
  commits = new GroupCommit(connection, { beforeCommit });
});
afterEach(async () => {
  vi.useRealTimers();
  connection.close();
  await directory.remove();
});

const write = () => commits.write(() => (written += 1));
const writeAll = (count: number) => Promise.all(Array.from({ length: count }, write));

/** Writes that come one turn of the event loop after the other, as answers from the network do. */
async function writeInTurns(count: number): Promise<readonly Promise<number>[]> {
  const acknowledged: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    acknowledged.push(write());
    await turn();
  }
  return acknowledged;
}

describe("a commit on a slow disk", () => {
  it("waits until as many have come as shared the one before", async () => {
    await writeAll(4);
    const acknowledged = await writeInTurns(4);
    expect(groups).toEqual([4, 4]);
    await Promise.all(acknowledged);
  });

  it("is taken by those who came, when others do not", async () => {
    await writeAll(4);
    const acknowledged = await writeInTurns(3);
    expect(groups).toEqual([4]);
    vi.advanceTimersByTime(LONGEST_WAIT_MS);
    await Promise.all(acknowledged);
    expect(groups).toEqual([4, 3]);
    // They are not waited for a second time.
    await Promise.all(await writeInTurns(3));
    expect(groups).toEqual([4, 3, 3]);
  });

  it("lets a single writer commit at once", async () => {
    await write();
    await write();
    expect(groups).toEqual([1, 1]);
  });

  it("comes at once when the store is closed", async () => {
    await writeAll(2);
    const last = write();
    commits.close();
    await last;
    expect(groups).toEqual([2, 1]);
    await expect(write()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("a commit on a fast disk", () => {
  beforeEach(async () => {
    commitMs = 0;
    await writeAll(4);
  });

  it("waits for as many as shared the one before while each turn brings one", async () => {
    const acknowledged = await writeInTurns(6);
    expect(groups).toEqual([4, 4]);
    await Promise.all(acknowledged);
    expect(groups).toEqual([4, 4, 2]);
  });

  it("comes after the first turn that brings none", async () => {
    const [first] = await writeInTurns(1);
    expect(groups).toEqual([4]);
    await turn();
    expect(groups).toEqual([4, 1]);
    await first;
  });

  it("comes at once for as many as shared the one before", async () => {
    const acknowledged = Promise.all(Array.from({ length: 4 }, write));
    await turn();
    expect(groups).toEqual([4, 4]);
    await acknowledged;
  });

  it("does not let an operation wait longer than the longest wait, however long each turn takes", async () => {
    await writeAll(16);
    const acknowledged: Promise<number>[] = [];
    for (let index = 0; index < 8; index += 1) {
      acknowledged.push(write());
      vi.advanceTimersByTime(LONGEST_WAIT_MS / 4);
      await turn();
    }
    expect(groups).toEqual([4, 16, 4, 4]);
    await Promise.all(acknowledged);
  });

  it("lets a single writer commit at once", async () => {
    await write();
    await write();
    const [last] = await writeInTurns(1);
    expect(groups).toEqual([4, 1, 1, 1]);
    await last;
  });
});

it.each([0, SLOW_MS])("after a commit of %i ms nothing is scheduled while there are no writes", async (ms) => {
  commitMs = ms;
  await writeAll(2);
  const scheduled = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => scheduled.mockRestore());
  await turn();
  await turn();
  expect(scheduled).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("a caller whose callback throws hides the commit from no other", () => {
  const called: number[] = [];
  for (const index of [1, 2, 3]) {
    commits.writeThen(
      () => index,
      () => {
        called.push(index);
        if (index === 1) throw new Error("a defect of the caller");
      },
    );
  }
  expect(() => commits.close()).toThrow("a defect of the caller");
  expect(called).toEqual([1, 2, 3]);
});

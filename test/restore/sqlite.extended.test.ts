import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { expectRestored } from "./expect-restored.ts";
import { startLoad } from "./load.ts";

const MAIN = join(repositoryRoot, "packages", "cli", "src", "main.ts");

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "yagate-restore-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** `yagate backup` in a process of its own. */
/** What it says beside its result: which keys belong elsewhere. */
async function backup(dataDir: string, folder: string): Promise<string> {
  const { stderr } = await promisify(execFile)(process.execPath, [MAIN, "backup", folder, "--data-dir", dataDir]);
  return stderr;
}

/** What a journal's file has of these executions, as it stands there. */
function rowsOf(dataDir: string, ids: readonly string[]): readonly unknown[] {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  try {
    const tables = ["executions WHERE id", "execution_requests WHERE execution_id", "appends WHERE execution_id"];
    return tables.map((table) =>
      database
        .prepare(`SELECT * FROM ${table} IN (SELECT value FROM json_each(?)) ORDER BY 1, 2`)
        .all(JSON.stringify(ids)),
    );
  } finally {
    database.close();
  }
}

/** How many executions of a journal have not ended. */
function openIn(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  try {
    return database.prepare("SELECT id FROM executions WHERE is_open = 1").all().length;
  } finally {
    database.close();
  }
}

it("a copy that was taken under load is a data directory: what was finished is in it, the rest goes on", {
  timeout: 90_000,
}, async () => {
  const load = await startLoad();
  const { gateway } = load;
  await load.untilCompleted(10);
  const folder = join(await temporaryFolder(), "backup");
  const finished = [...load.completed];
  const output = await load.whileCallWaits(() => backup(gateway.dataDir, folder));
  expect(output).toContain("Keep YAGATE_MASTER_KEYS elsewhere");
  const atBackup = load.completed.length;
  // The gateway went on meanwhile, and does so now.
  await load.untilCompleted(atBackup + 5);
  load.end();
  await gateway.kill();

  expect(await readdir(folder)).toEqual(["journal.db"]);
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, "journal.db"))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const restored = join(await temporaryFolder(), "data");
  await cp(folder, restored, { recursive: true });
  const before = rowsOf(gateway.dataDir, finished);
  expect(before[0]).toHaveLength(finished.length);
  expect(rowsOf(restored, finished)).toEqual(before);

  const unfinished = openIn(restored);
  expect(unfinished).toBeGreaterThan(0);
  const sentAgain = await expectRestored(load, { YAGATE_DATA_DIR: restored }, restored);
  process.stdout.write(`\n${JSON.stringify({ finished: finished.length, unfinished, sentAgain })}\n`);
  expect(rowsOf(restored, finished)).toEqual(before);
});

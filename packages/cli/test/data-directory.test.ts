import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { type CommandOptions, KEYS, runCommand, startListening } from "./support/command.ts";
import { fingerprints, makeFolder } from "./support/folder.ts";

const isRoot = process.getuid?.() === 0;
const OTHER_MASTER_KEYS = `k1:${Buffer.alloc(32, 2).toString("base64")}`;

const environment = (dataDir: string) => ({ ...KEYS, YAGATE_PORT: "0", YAGATE_DATA_DIR: dataDir });

let template: string | undefined;
afterAll(() => template && rm(template, { recursive: true }));

/** A data directory as `serve` leaves it after a clean stop; made once, copied for each test. */
async function makeDataDirectory(): Promise<string> {
  if (template === undefined) {
    template = await mkdtemp(join(tmpdir(), "yagate-cli-template-"));
    const { stop } = await startListening(["serve"], { env: environment(template) });
    expect(await stop()).toBe(0);
  }
  const dataDir = join(await makeFolder(), "data");
  await cp(template, dataDir, { recursive: true });
  return dataDir;
}

async function expectRefusal(dataDir: string, message: RegExp, options: CommandOptions = {}): Promise<void> {
  const before = await fingerprints(dataDir);
  const env = { ...environment(dataDir), ...options.env };
  const { status, output } = await runCommand(["serve"], { ...options, env });
  expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(message) });
  // One line for people, no stack.
  expect(output).not.toMatch(/^\s+at /m);
  // SQLite may leave empty files beside the journal.
  expect(await fingerprints(dataDir)).toMatchObject(before);
}

describe("a data directory that serve can't use", () => {
  it("is left to the process that has it", async () => {
    const dataDir = join(await makeFolder(), "data");
    const holder = await startListening(["dev", "--port", "0", "--data-dir", dataDir]);
    const { status, output } = await runCommand(["serve"], { env: environment(dataDir) });
    expect(status).toBe(2);
    expect(output).toContain(`yagate: the data directory ${dataDir} is used by another process: stop it, or choose`);
    expect((await fetch(`${holder.url}/readyz`)).status).toBe(200);
    expect(await holder.stop()).toBe(0);
  });

  it("is left as it is when its journal was written by a newer version", async () => {
    const dataDir = await makeDataDirectory();
    const database = new DatabaseSync(join(dataDir, "journal.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expectRefusal(dataDir, /journal\.db was written by a newer version \(schema 99, this one knows \d+\)/);
  });

  it("is left as it is when the master keys are others", async () => {
    const dataDir = await makeDataDirectory();
    const env = { YAGATE_MASTER_KEYS: OTHER_MASTER_KEYS };
    await expectRefusal(dataDir, /the master keys are not those that sealed this data/, { env });
  });

  it("gets no new master key when it was sealed with one that is not there", async () => {
    const dataDir = await makeDataDirectory();
    const { status, output } = await runCommand(["dev", "--port", "0", "--data-dir", dataDir]);
    expect({ status, output }).toEqual({
      status: 2,
      output: `yagate: the data was sealed with a master key that is not here: restore the file ${dataDir}/master.key, or set YAGATE_MASTER_KEYS\n`,
    });
    expect(await readdir(dataDir)).not.toContain("master.key");
  });

  it.runIf(process.platform === "linux")("is left as it is when the disk is full", async () => {
    const dataDir = await makeDataDirectory();
    // One block of 1 KiB a file: every write to the journal fails as on a full disk.
    await expectRefusal(dataDir, /journal\.db cannot be opened: .*disk .*; it was left/, { before: "ulimit -f 1" });
  });

  it.runIf(process.platform === "linux")(
    "holds no half of a journal when the disk was full at the first start",
    async () => {
      const dataDir = join(await makeFolder(), "data");
      const { status, output } = await runCommand(["serve"], { env: environment(dataDir), before: "ulimit -f 40" });
      expect({ status, output }).toEqual({
        status: 2,
        output: expect.stringMatching(/the journal could not be read or written: /),
      });
      const { stop } = await startListening(["serve"], { env: environment(dataDir) });
      expect(await stop()).toBe(0);
    },
  );

  it("is no directory", async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, "data"), "a file");
    const { status, output } = await runCommand(["serve"], { env: environment(join(folder, "data")) });
    expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(/cannot be used: E[A-Z]+\n$/) });
  });

  it.skipIf(isRoot)("may not be written (not run as root, who may write everywhere)", async () => {
    const dataDir = join(await makeFolder(), "data");
    await mkdir(dataDir);
    await chmod(dataDir, 0o500);
    await expectRefusal(dataDir, /the data directory .* cannot be used/);
  });
});

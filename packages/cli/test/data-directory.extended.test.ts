import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type CommandOptions, KEYS, runCommand, startListening } from "./support/command.ts";
import { fingerprints, makeFolder } from "./support/folder.ts";

const isRoot = process.getuid?.() === 0;
const OTHER_MASTER_KEYS = `k1:${Buffer.from("other CLI tests, other key 23456").toString("base64")}`;

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
    const { pid } = holder.child;
    expect(output).toContain(
      `✕ UNAVAILABLE  the data directory ${dataDir} is used by yagate dev (process ${pid}), which listens on ${holder.url}\nTry: use that gateway (export YAGATE_BASE_URL=${holder.url}), stop it (kill ${pid}), or choose another directory (`,
    );
    expect((await fetch(`${holder.url}/readyz`)).status).toBe(200);
    expect(await holder.stop()).toBe(0);
    expect(await readdir(dataDir)).not.toContain("gateway.json");
  });

  it("names the process that has it, not the one that was killed before", async () => {
    const dataDir = join(await makeFolder(), "data");
    const killed = await startListening(["dev", "--port", "0", "--data-dir", dataDir]);
    await killed.stop("SIGKILL");
    const script = `
      const { DatabaseSync } = require("node:sqlite");
      new DatabaseSync(${JSON.stringify(join(dataDir, "lock.db"))}).exec("BEGIN EXCLUSIVE");
      console.log("locked"); setInterval(() => {}, 1_000);`;
    const holder = spawn(process.execPath, ["-e", script]);
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    const { output } = await runCommand(["serve"], { env: environment(dataDir) });
    expect(output).toContain(`the data directory ${dataDir} is used by node (process ${holder.pid})\nTry: stop it`);
  });

  it("is left as it is when its journal was written by a newer version", async () => {
    const dataDir = await makeDataDirectory();
    const database = new DatabaseSync(join(dataDir, "journal.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expectRefusal(dataDir, /journal\.db was written by a newer version \(schema 99, this version supports \d+\)/);
  });

  it("is left as it is when the master keys are others", async () => {
    const dataDir = await makeDataDirectory();
    const env = { YAGATE_MASTER_KEYS: OTHER_MASTER_KEYS };
    await expectRefusal(dataDir, /this data was encrypted with other master keys/, { env });
  });

  it("gets no new master key when it was sealed with one that is not there", async () => {
    const dataDir = await makeDataDirectory();
    const { status, output } = await runCommand(["dev", "--port", "0", "--data-dir", dataDir]);
    expect({ status, output }).toEqual({
      status: 2,
      output: expect.stringContaining(
        `the master key that encrypted the data is missing: restore the file ${dataDir}/master.key, or set YAGATE_MASTER_KEYS\n`,
      ),
    });
    expect(await readdir(dataDir)).not.toContain("master.key");
  });

  it.runIf(process.platform === "linux")("is left as it is when the disk is full", async () => {
    const dataDir = await makeDataDirectory();
    // One block of 1 KiB a file: every write to the journal fails as on a full disk.
    await expectRefusal(dataDir, /journal\.db cannot be opened: .*disk .*; it was not changed/, {
      before: "ulimit -f 1",
    });
  });

  it.runIf(process.platform === "linux")(
    "holds no half of a journal when the disk was full at the first start",
    async () => {
      const dataDir = join(await makeFolder(), "data");
      const { status, output } = await runCommand(["serve"], { env: environment(dataDir), before: "ulimit -f 40" });
      expect({ status, output }).toEqual({
        status: 2,
        output: expect.stringMatching(/the store could not be read or written: /),
      });
      const { stop } = await startListening(["serve"], { env: environment(dataDir) });
      expect(await stop()).toBe(0);
    },
  );

  it("is no directory", async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, "data"), "a file");
    const { status, output } = await runCommand(["serve"], { env: environment(join(folder, "data")) });
    expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(/cannot be used: E[A-Z]+\n/) });
  });

  it.skipIf(isRoot)("may not be written (not run as root, who may write everywhere)", async () => {
    const dataDir = join(await makeFolder(), "data");
    await mkdir(dataDir);
    await chmod(dataDir, 0o500);
    await expectRefusal(dataDir, /the data directory .* cannot be used/);
  });
});

describe.skipIf(process.platform === "win32")("a data directory that other users can read", () => {
  it.each([
    ["everybody", 0o755, "0755", "700"],
    ["its group", 0o750, "0750", "700"],
    ["everybody who knows a name in it", 0o711, "0711", "700"],
    ["everybody, on a volume that its group shares", 0o2775, "0775", "o-rwx"],
  ])("is refused: %s", async (_who, mode, shown, change) => {
    const dataDir = await makeDataDirectory();
    await chmod(dataDir, mode);
    const refusal = `other users can read the data directory ${dataDir} \\(mode ${shown}\\): chmod ${change} ${dataDir}\n`;
    await expectRefusal(dataDir, new RegExp(refusal));
    expect((await stat(dataDir)).mode & 0o7777).toBe(mode);
  });

  it.each([
    ["its owner alone", 0o700],
    ["the group of a shared volume", 0o2770],
  ])("is taken where it is open to %s", async (_who, mode) => {
    const dataDir = await makeDataDirectory();
    await chmod(dataDir, mode);
    const { stop } = await startListening(["serve"], { env: environment(dataDir) });
    expect(await stop()).toBe(0);
  });

  it("is refused for a master key that others can read, and made private where serve makes it", async () => {
    const dataDir = join(await makeFolder(), "made by serve");
    const { stop } = await startListening(["serve"], { env: environment(dataDir), before: "umask 000" });
    expect(await stop()).toBe(0);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);

    const keyFile = join(dataDir, "master.key");
    await writeFile(keyFile, "k1:", { mode: 0o640 });
    await chmod(keyFile, 0o640);
    await expectRefusal(
      dataDir,
      /the master key file .* \(mode 0640\): chmod 600 '.*made by serve\/master\.key'[\s\S]*can also move the file/,
    );
  });
});

describe("keys that could be guessed", () => {
  const WEAK_MASTER_KEYS = `k1:${Buffer.from("aaaabbbbccccddddeeeeffffgggghhhh").toString("base64")}`;

  it.each([
    ["an API key of 31 characters", { YAGATE_API_KEY: "yk_0123456789abcdef0123456789ab" }, "YAGATE_API_KEY"],
    ["an API key of few characters", { YAGATE_API_KEY: "abcabcabcabcabcabcabcabcabcabcabcabc" }, "YAGATE_API_KEY"],
    ["a master key that was typed", { YAGATE_MASTER_KEYS: WEAK_MASTER_KEYS }, "YAGATE_MASTER_KEYS"],
  ])("are refused before anything is made: %s", async (_name, keys, variable) => {
    const cwd = await makeFolder();
    const env = { ...environment(join(cwd, "data")), ...keys };
    const { status, output } = await runCommand(["serve"], { env, cwd });
    expect(status).toBe(2);
    expect(output).toMatch(new RegExp(`${variable}: .*expected .* generate one with: echo "\\w+:?\\$\\(openssl rand`));
    for (const key of Object.values(keys)) expect(output).not.toContain(key.split(":").at(-1));
    expect(await readdir(cwd)).toEqual([]);
  });

  it("are named at once, also beside other settings that are wrong", async () => {
    const cwd = await makeFolder();
    const weak = { YAGATE_API_KEY: "short", YAGATE_MASTER_KEYS: WEAK_MASTER_KEYS };
    const wrong = { YAGATE_MIGRATIONS: "perhaps" };
    const refused = await runCommand(["serve"], { env: { ...environment(join(cwd, "data")), ...weak, ...wrong }, cwd });
    expect(refused.output).toContain("YAGATE_API_KEY: expected at least 32 characters, at least 12 of them different");
    expect(refused.output).not.toContain("at least 16 characters");
    expect(refused.output).toContain("YAGATE_MASTER_KEYS: master key 1: expected 32 random bytes");
    expect(refused.output).toContain("YAGATE_MIGRATIONS: expected");
    const env = { ...environment(join(cwd, "data")), ...weak, YAGATE_MASTER_KEYS: "k1:abc" };
    const unreadable = await runCommand(["serve"], { env, cwd });
    expect(unreadable.output).toContain("YAGATE_API_KEY: expected at least 32 characters");
    expect(unreadable.output).toContain(
      "YAGATE_MASTER_KEYS: master key 1: expected <key id>:<base64 of 32 random bytes>",
    );
  });

  it("may be used for now, with a warning at each start that does not repeat them", async () => {
    const dataDir = join(await makeFolder(), "data");
    const weak = { YAGATE_API_KEY: "abcabcabcabcabcabcabc", YAGATE_MASTER_KEYS: WEAK_MASTER_KEYS };
    const env = { ...environment(dataDir), ...weak, YAGATE_ALLOW_WEAK_KEYS: "true" };
    for (const _start of [1, 2]) {
      const { stop, output } = await startListening(["serve"], { env });
      expect(await stop()).toBe(0);
      const warnings = output()
        .split("\n")
        .filter((line) => line.includes("a key could be guessed"));
      expect(warnings).toHaveLength(2);
      expect(output()).not.toContain(weak.YAGATE_API_KEY);
    }
  });

  it("are taken as older master keys, so that a good one can take their place", async () => {
    const dataDir = join(await makeFolder(), "data");
    const weak = { ...environment(dataDir), YAGATE_MASTER_KEYS: WEAK_MASTER_KEYS };
    const before = await startListening(["serve"], { env: { ...weak, YAGATE_ALLOW_WEAK_KEYS: "true" } });
    expect(await before.stop()).toBe(0);
    const next = OTHER_MASTER_KEYS.replace("k1:", "k2:");
    const after = await startListening(["serve"], {
      env: { ...weak, YAGATE_MASTER_KEYS: `${next},${WEAK_MASTER_KEYS}` },
    });
    expect(await after.stop()).toBe(0);
  });
});

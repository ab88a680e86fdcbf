import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { loadOrCreateKeyFile } from "../src/key-file.ts";
import { masterKeyOf } from "./support.ts";

const isPosix = process.platform !== "win32";

let directory: TemporaryDirectory;
const path = () => join(directory.path, "master.key");

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => directory.remove());

describe("the master key file", () => {
  it("is made once and read from then on", async () => {
    const made = loadOrCreateKeyFile(directory.path);
    const read = loadOrCreateKeyFile(directory.path);
    expect(read.active.kid).toBe(made.active.kid);
    expect(read.active.key.equals(made.active.key)).toBe(true);
    expect(await readdir(directory.path)).toEqual(["master.key"]);
  });

  it("holds another key in every directory", async () => {
    await mkdir(join(directory.path, "other"));
    const [one, other] = [directory.path, join(directory.path, "other")].map((path) => loadOrCreateKeyFile(path));
    expect(other?.active.key.equals(one?.active.key ?? other.active.key)).toBe(false);
  });

  it.runIf(isPosix)("is made for its owner alone", async () => {
    loadOrCreateKeyFile(directory.path);
    expect(((await stat(path())).mode & 0o777).toString(8)).toBe("600");
  });

  it("may hold several keys, the active one first", async () => {
    await writeFile(path(), `${masterKeyOf("new")}\n${masterKeyOf("old")}\n`, { mode: 0o600 });
    const keyring = loadOrCreateKeyFile(directory.path);
    expect([keyring.active.kid, keyring.find("old")?.kid]).toEqual(["new", "old"]);
  });

  it.runIf(isPosix).each([
    [0o600, true],
    [0o660, true],
    [0o604, false],
    [0o602, false],
    [0o644, false],
  ])("with mode %o is accepted: %s", async (mode, isAccepted) => {
    loadOrCreateKeyFile(directory.path);
    await chmod(path(), mode);
    const load = () => loadOrCreateKeyFile(directory.path);
    if (isAccepted) expect(load().active.kid).toMatch(/^file-/);
    else
      expect(load).toThrow(
        expect.objectContaining({ code: "NOT_CONFIGURED", message: expect.stringMatching(/chmod 600/) }),
      );
  });

  it.each([
    ["is empty", ""],
    ["was cut off", masterKeyOf("k").slice(0, -5)],
  ])("is refused and left alone when it %s", async (_name, text) => {
    await writeFile(path(), text, { mode: 0o600 });
    expect(() => loadOrCreateKeyFile(directory.path)).toThrow(
      expect.objectContaining({
        code: "NOT_CONFIGURED",
        message: expect.stringContaining("does not contain master keys"),
      }),
    );
    expect(await readFile(path(), "utf8")).toBe(text);
  });

  it("is made together with its directory", () => {
    const dataDir = join(directory.path, "deep", "data");
    const { active } = loadOrCreateKeyFile(dataDir);
    expect(loadOrCreateKeyFile(dataDir).active.kid).toBe(active.kid);
  });

  it("is read, and never made, for a store that is sealed", async () => {
    const load = () => loadOrCreateKeyFile(directory.path, { isSealed: true });
    expect(load).toThrow(
      expect.objectContaining({
        code: "NOT_CONFIGURED",
        message: expect.stringContaining(`restore the file ${path()}`),
      }),
    );
    expect(await readdir(directory.path)).toEqual([]);
    const made = loadOrCreateKeyFile(directory.path);
    expect(load().active.kid).toBe(made.active.kid);
  });

  it("says so when it cannot be made", async () => {
    await writeFile(join(directory.path, "file"), "");
    expect(() => loadOrCreateKeyFile(join(directory.path, "file", "data"))).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", message: expect.stringContaining("ENOTDIR") }),
    );
  });
});

import { execFile } from "node:child_process";
import { chmod, chown, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeFolder } from "./support/folder.ts";

/** Any user except root, for tests that run as root. */
const SOME_USER = 65_534;

/** Prints where a process of a user keeps compiled code. */
const SCRIPT = `
  import { getCompileCacheDir } from "node:module";
  import { keepCompiledCode } from "${new URL("../src/compile-cache.ts", import.meta.url)}";
  const [user] = process.argv.slice(1);
  if (user === "root") process.getuid = () => 0;
  else if (process.getuid() === 0) process.setuid(${SOME_USER});
  keepCompiledCode(process.env);
  console.log(getCompileCacheDir() ?? "nowhere");
`;

async function keptIn(env: Readonly<Record<string, string>>, user = "user"): Promise<string> {
  const { NODE_OPTIONS = "" } = process.env;
  const args = ["--input-type=module", "-e", SCRIPT, user];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { NODE_OPTIONS, ...env } });
  return stdout.trim();
}

/** A folder of the user who runs the script. */
async function makeCache(): Promise<string> {
  const folder = await makeFolder();
  if (process.getuid?.() === 0) await chown(folder, SOME_USER, SOME_USER);
  return folder;
}

it("keeps compiled code in a directory that only the user can open", async () => {
  const cache = await makeCache();
  const expected = join(cache, "yagate", "compiled");
  expect((await keptIn({ XDG_CACHE_HOME: cache })).startsWith(`${expected}/`)).toBe(true);
  expect((await stat(expected)).mode & 0o777).toBe(0o700);
});

it("keeps it below the home directory, also where XDG_CACHE_HOME is relative", async () => {
  const home = await makeCache();
  const kept = await keptIn({ HOME: home, XDG_CACHE_HOME: "cache" });
  expect(kept.startsWith(join(home, ".cache", "yagate", "compiled"))).toBe(true);
});

it("keeps nothing for root", async () => {
  expect(await keptIn({ XDG_CACHE_HOME: await makeCache() }, "root")).toBe("nowhere");
});

it("keeps nothing with NODE_DISABLE_COMPILE_CACHE", async () => {
  expect(await keptIn({ XDG_CACHE_HOME: await makeCache(), NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("nowhere");
});

it("keeps nothing in a directory that others can read", async () => {
  const cache = await makeCache();
  const directory = join(cache, "yagate", "compiled");
  await mkdir(directory, { recursive: true });
  if (process.getuid?.() === 0) await chown(directory, SOME_USER, SOME_USER);
  await chmod(directory, 0o755);
  expect(await keptIn({ XDG_CACHE_HOME: cache })).toBe("nowhere");
});

it("keeps nothing where no directory can be made", async () => {
  const file = join(await makeFolder(), "file");
  await writeFile(file, "");
  expect(await keptIn({ XDG_CACHE_HOME: file })).toBe("nowhere");
});

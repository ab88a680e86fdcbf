import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { callTool } from "@yagate/handler/testing";
import { generateSigningSecret } from "@yagate/protocol";
import { describe, expect, it, vi } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { TEMPLATES } from "../../src/init/templates.ts";
import { makeFolder } from "../support/folder.ts";
import { makeOwnFolder } from "../support/own-tool.ts";
import { runCheck } from "../support/run-check.ts";

const run = promisify(execFile);
const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8"));

/** Creates a project inside of this repository, where Node finds the packages. */
async function create(...options: string[]): Promise<string> {
  const folder = join(await makeOwnFolder(), "My tools");
  const created = await runCheck(["init", folder, ...options]);
  expect(created).toMatchObject({ status: 0 });
  expect(created.stderr).toMatch(/^Next: {2}cd .* && npm install && npm test\nThen: {2}npm run dev\n {7}npm start /);
  expect(created.stderr.includes("E404")).toBe(!options.includes("--tarballs"));
  return folder;
}

describe.each(Object.keys(TEMPLATES))("a project for %s", (name) => {
  it("has tests that pass, and keys that only its owner can read", async () => {
    const folder = await create("--template", name);
    expect((await stat(join(folder, ".env"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toContain("\n.env\n");
    expect(await readJson(join(folder, "package.json"))).toMatchObject({ name: "my-tools", type: "module" });
    const { stdout } = await run(process.execPath, ["--test"], { cwd: folder });
    expect(stdout).toMatch(/pass 3\n[\s\S]*fail 0\n/);
  });
});

it("Next.js serves the tools with a route", async () => {
  const folder = await create("--template", "nextjs");
  const secret = generateSigningSecret();
  vi.stubEnv("YAGATE_SIGNING_SECRET", secret);
  const { POST } = await import(join(folder, "app", "tools", "route.ts"));
  const answer = await callTool(POST, { secret, name: "book_table", parameters: { guests: 4, time: "19:30" } });
  vi.unstubAllEnvs();
  expect(answer).toMatchObject({ status: 200, isSigned: true, result: { booked: true } });
});

it("the versions in the templates are those that the tests use", async () => {
  const { devDependencies } = await readJson(join(repositoryRoot, "package.json"));
  const { dependencies } = await readJson(join(repositoryRoot, "test", "runtimes", "package.json"));
  for (const template of Object.values(TEMPLATES)) {
    for (const [name, version] of Object.entries({ ...template.dependencies, ...template.devDependencies })) {
      if (name !== "@types/react") expect(version, name).toBe({ ...devDependencies, ...dependencies }[name]);
    }
  }
  const { scripts, ...manifest } = await readJson(join(await create(), "package.json"));
  expect(manifest.devDependencies["typescript"]).toBe(devDependencies.typescript);
  expect(manifest.devDependencies["@types/node"]).toBe(devDependencies["@types/node"]);
  const cli = await readJson(join(repositoryRoot, "packages", "cli", "package.json"));
  expect(manifest.dependencies["zod"]).toBe(cli.dependencies.zod);
  expect(manifest.devDependencies["@yagate/cli"]).toBe(cli.version);
  expect(scripts.dev).toContain(cli.bin.yagate.replace("./", "@yagate/cli/"));
  expect(cli.files).toContain("templates");
});

it("tarballs take the place of the registry, also for the packages on which others depend", async () => {
  const tarballs = await makeFolder();
  const { version } = await readJson(join(repositoryRoot, "packages", "cli", "package.json"));
  await writeFile(join(tarballs, `yagate-cli-${version}.tgz`), "");
  const folder = await create("--tarballs", tarballs);
  const { dependencies, devDependencies } = await readJson(join(folder, "package.json"));
  const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith("@yagate/"));
  expect(own).toHaveLength(7);
  for (const [name, specifier] of own) {
    expect(specifier).toBe(`file:${tarballs}/yagate-${name.replace("@yagate/", "")}-${version}.tgz`);
  }
});

it.each<[string, (folder: string) => Promise<readonly string[]>, RegExp]>([
  [
    "an unknown template",
    async () => ["--template", "koa"],
    /expected --template to be one of express, hono, fastify, nextjs/,
  ],
  ["a folder without tarballs", async (folder) => ["--tarballs", folder], /expected yagate-cli-\S+\.tgz in/],
  [
    "a folder with a file",
    async (folder) => {
      await mkdir(join(folder, "new"));
      await writeFile(join(folder, "new", "notes.txt"), "mine");
      return [];
    },
    /to be empty or missing/,
  ],
])("refuses %s and writes nothing", async (_what, prepare, message) => {
  const folder = await makeFolder();
  const options = await prepare(folder);
  const refused = await runCheck(["init", join(folder, "new"), ...options]);
  expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect((await readdir(join(folder, "new")).catch(() => [])).filter((name) => name !== "notes.txt")).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { spawnCheck } from "./support/run-check.ts";

/** Prints what is loaded on standard error, one a line; what Node itself is made of only where the command asks for it. */
const TRACE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) { console.error("LOADED " + url); return next(url, context); } });
`)}`;

async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  const { NODE_OPTIONS = "" } = process.env;
  const { status, stderr } = await spawnCheck(args, { env: { NODE_OPTIONS: `${NODE_OPTIONS} --import="${TRACE}"` } });
  expect(status).toBe(0);
  return stderr.split("\n").flatMap((line) => (line.startsWith("LOADED ") ? [line.slice("LOADED ".length)] : []));
}

const HEAVY =
  /\/zod\/|node:sqlite|packages\/(?:protocol|client|gateway|lib(?!\/src\/objects)|egress|store|models|builtins)\/|undici|node:https?$/;

describe("the modules that are loaded", () => {
  it("by yagate --version are the entry and what reads the version", async () => {
    const modules = await modulesOf(["--version"]);
    expect(modules.filter((url) => url.startsWith("file:")).map((url) => url.split("/").at(-1))).toEqual([
      ...["main.ts", "node-version.ts", "package-version.ts"],
    ]);
    expect(modules.length).toBeLessThanOrEqual(6);
  });

  it.each([
    ["help", ["help"], 76],
    ["--help of a command", ["agents", "create", "--help"], 72],
    ["version", ["version"], 72],
    ["completion", ["completion", "bash"], 73],
  ])("by yagate %s are the descriptions of the commands, and nothing that runs them", async (_name, args, most) => {
    const modules = await modulesOf(args);
    expect(modules.filter((url) => HEAVY.test(url))).toEqual([]);
    expect(modules.length).toBeLessThanOrEqual(most);
  });
});

import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_TABLE, isErrorCode, YagateError } from "@yagate/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { commandName, withCommandName } from "../src/command-name.ts";
import { COMMANDS } from "../src/commands/commands.ts";
import type { CommandSpec } from "../src/frame/command-spec.ts";
import { reportOf } from "../src/frame/error-report.ts";
import { describeFailure } from "../src/gateway/live-log/describe-failure.ts";
import { environmentHelp } from "../src/help/environment.ts";
import { commandHelp, programHelp } from "../src/help/format-help.ts";
import { section } from "../src/help/layout.ts";
import { makeFolder } from "./support/folder.ts";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
const NPX = "npx @yagate/cli";

beforeEach(() => {
  vi.stubEnv("npm_command", undefined);
  vi.stubEnv("npm_config_user_agent", undefined);
  vi.stubEnv("PATH", "/nonexistent");
});

afterEach(() => vi.unstubAllEnvs());

describe("printed commands start with", () => {
  it("npx under npx and scripts of a package manager, whatever is on the path", () => {
    vi.stubEnv("npm_command", "exec");
    expect(commandName()).toBe(NPX);
    vi.stubEnv("npm_command", undefined);
    vi.stubEnv("npm_config_user_agent", "pnpm/10.0.0");
    expect(commandName()).toBe(NPX);
  });

  it("the command alone if it is on the path", async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, "bin"));
    vi.stubEnv("PATH", `/nonexistent:${folder}/bin`);
    await writeFile(join(folder, "bin/yagate"), "", { mode: 0o600 });
    expect(commandName()).not.toBe("yagate");
    await writeFile(join(folder, "bin/yagate.cmd"), "", { mode: 0o700 });
    expect(commandName()).toBe("yagate");
  });

  it("their name only where a command starts, not in a path", () => {
    vi.stubEnv("npm_command", "exec");
    expect(withCommandName("/srv/.yagate is used by yagate dev; see /opt/yagate and @yagate/cli")).toBe(
      "/srv/.yagate is used by npx @yagate/cli dev; see /opt/yagate and @yagate/cli",
    );
  });

  it("the file that Node was started with otherwise", () => {
    const { argv, execArgv } = process;
    try {
      process.argv = [process.execPath, join(process.cwd(), "my tools/main.js"), "dev"];
      process.execArgv = ["--conditions=@yagate/source"];
      expect(commandName()).toBe("node --conditions=@yagate/source 'my tools/main.js'");
    } finally {
      Object.assign(process, { argv, execArgv });
    }
  });
});

/** Returns the help of a command and of its commands. */
function pagesOf(spec: CommandSpec, parents: readonly string[] = []): readonly string[] {
  const path = [...parents, spec.name];
  return [commandHelp(spec, path), ...(spec.commands ?? []).flatMap((command) => pagesOf(command, path))];
}

describe("under npx", () => {
  const codes = Object.keys(ERROR_TABLE).filter(isErrorCode);
  const texts: readonly [string, () => readonly string[]][] = [
    ["help page", () => [programHelp(COMMANDS), ...COMMANDS.flatMap((spec) => pagesOf(spec))]],
    ["explained variable", () => [section("Variables", Object.entries(environmentHelp().own))]],
    ["advice about an error", () => codes.map((code) => reportOf(new YagateError(code, "failed"), "agents").advice)],
    ["advice of the live log", () => codes.flatMap((code) => describeFailure({ code, message: "failed" }))],
    ["message of a gateway", () => [reportOf(new YagateError("CONFLICT", "run `yagate secret set A`"), "").message]],
  ];

  it.each(texts)("each command in a %s is one that npx runs", (_what, textsOf) => {
    vi.stubEnv("npm_command", "exec");
    // A synopsis is not copied.
    const lines = textsOf().flatMap((text) => text.replaceAll(/^(?:Usage:| {6}) yagate .*$/gm, "").split("\n"));
    const text = lines.join(" ").replaceAll(/ +/g, " ");
    expect(text.match(/(?<![\w@/-])yagate [a-z]\S*/g) ?? []).toEqual([]);
    const names = [...text.matchAll(/npx @yagate\/cli ([a-z-]+)/g)].map(([, name]) => name);
    expect(names).not.toEqual([]);
    const known = new Set(COMMANDS.map(({ name }) => name));
    expect(names.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  });
});

/** Their texts are printed as help or as errors, which name the command correctly. */
const NAMED_WHEN_PRINTED =
  /^(?:commands\/|help\/|conformance\/preflight|frame\/(?:error-report|global-options|profiles\/profile-file)|approvals\/watch|eval\/eval|gateway\/(?:serve|data-directory-in-use|live-log\/describe-failure))/;

it("no other file writes the name of a command into a text", async () => {
  const words = COMMANDS.map(({ name }) => name).join("|");
  const literal = new RegExp(`["'\`\\s(](?<![*/] .*)yagate (?:${words})\\b`);
  const found: string[] = [];
  for (const file of globSync(`${SOURCES}/**/*.ts`)) {
    const name = relative(SOURCES, file);
    if (NAMED_WHEN_PRINTED.test(name)) continue;
    const lines = (await readFile(file, "utf8")).split("\n");
    found.push(...lines.filter((line) => literal.test(line)).map((line) => `${name}: ${line.trim()}`));
  }
  expect(found).toEqual([]);
});

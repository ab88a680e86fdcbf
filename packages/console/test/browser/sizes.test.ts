import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { ensureBuiltConsole } from "./built-console.ts";

const KB = 1_000;
const ASSETS = join(repositoryRoot, "packages", "console", "dist", "assets");

/** Returns the size of a built file as it is sent with gzip. */
const sizeOf = (name: string) => gzipSync(readFileSync(join(ASSETS, name)), { level: 9 }).length;
const named = (pattern: string) => globSync(pattern, { cwd: ASSETS }).map((path) => basename(path));
const sum = (names: readonly string[]) => names.reduce((total, name) => total + sizeOf(name), 0);

describe("what the console sends, compressed", () => {
  beforeAll(ensureBuiltConsole);

  it("is at most 140 KB of script for the first visit of Executions", () => {
    const shell = readFileSync(join(ASSETS, "..", "index.html"), "utf8");
    const first = [...shell.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = ""]) => name);
    expect(first.length).toBeGreaterThan(0);
    expect(sum([...first, ...named("executions-page-*.js")])).toBeLessThanOrEqual(140 * KB);
  });

  it("is at most 30 KB of script for each further page, 450 KB in all, and 20 KB of styles", () => {
    for (const name of named("*-page-*.js")) expect(sizeOf(name), name).toBeLessThanOrEqual(30 * KB);
    expect(sum(named("*.js"))).toBeLessThanOrEqual(450 * KB);
    expect(sum(named("*.css"))).toBeLessThanOrEqual(20 * KB);
  });
});

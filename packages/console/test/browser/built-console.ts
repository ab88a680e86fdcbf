import { existsSync, globSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildConsole } from "../../../../scripts/build-console.ts";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";

const FOLDER = join(repositoryRoot, "packages", "console");
const SHELL = join(FOLDER, "dist", "index.html");

const LOCK = join(FOLDER, "node_modules", ".building");
const POLL_MS = 100;
/** A build takes a few seconds; a lock that is older is left from a process that was killed. */
const STALE_MS = 120_000;

function isBuilt(): boolean {
  const sources = ["index.html", "vite.config.ts", "package.json", ...globSync("src/**/*", { cwd: FOLDER })];
  const changedAt = Math.max(...sources.map((path) => statSync(join(FOLDER, path)).mtimeMs));
  return (
    existsSync(SHELL) && statSync(SHELL).mtimeMs > changedAt && globSync("dist/assets/*.br", { cwd: FOLDER }).length > 0
  );
}

function takeLock(): boolean {
  mkdirSync(join(FOLDER, "node_modules"), { recursive: true });
  const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > STALE_MS) rmSync(LOCK, { recursive: true, force: true });
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

/** Builds the console, unless the last build is newer than its sources. Only one process of several builds it. */
export async function ensureBuiltConsole(): Promise<void> {
  while (!takeLock()) await wait(POLL_MS);
  try {
    if (!isBuilt()) await buildConsole();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

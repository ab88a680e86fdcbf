import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../../../../scripts/build-console.ts";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";

const FOLDER = join(repositoryRoot, "packages", "console");
const SHELL = join(FOLDER, "dist", "index.html");

/** Builds the console, unless the last build is newer than its sources. */
export async function ensureBuiltConsole(): Promise<void> {
  const sources = ["index.html", "vite.config.ts", "package.json", ...globSync("src/**/*", { cwd: FOLDER })];
  const changedAt = Math.max(...sources.map((path) => statSync(join(FOLDER, path)).mtimeMs));
  const isBuilt =
    existsSync(SHELL) &&
    statSync(SHELL).mtimeMs > changedAt &&
    globSync("dist/assets/*.br", { cwd: FOLDER }).length > 0;
  if (!isBuilt) await buildConsole();
}

import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const GROUP_AND_OTHERS = 0o077;

/**
 * Keeps compiled code in `$XDG_CACHE_HOME/yagate/compiled`, by default in `~/.cache`, so that later commands start
 * faster. Later commands run what is stored there, so only the user may write it: nothing is kept in a directory that
 * others can write or read, nor for root, who may have the home of another user, nor on Windows, where files have no
 * such modes.
 *
 * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` take precedence.
 */
export function keepCompiledCode(environment: Environment): void {
  if (environment["NODE_COMPILE_CACHE"] || environment["NODE_DISABLE_COMPILE_CACHE"]) return;
  const directory = privateDirectory(environment);
  if (directory !== undefined) enableCompileCache(directory);
}

/** Returns the directory, or undefined if it can't be created or is not the user's alone. */
function privateDirectory(environment: Environment): string | undefined {
  const user = process.getuid?.();
  if (user === undefined || user === 0) return undefined;
  const cache = environment["XDG_CACHE_HOME"] ?? "";
  try {
    const base = cache.startsWith("/") ? cache : join(environment["HOME"] || homedir(), ".cache");
    const directory = join(base, "yagate", "compiled");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(directory);
    return uid === user && (mode & GROUP_AND_OTHERS) === 0 ? directory : undefined;
  } catch {
    return undefined;
  }
}

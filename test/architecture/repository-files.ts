import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../scripts/repository-root.ts";

/** What is committed or would be by `git add --all`, by path from the root. */
export function repositoryFiles(): readonly string[] {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(list.split("\0"))].filter((path) => path !== "" && existsSync(join(repositoryRoot, path)));
}

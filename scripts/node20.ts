import { join } from "node:path";
import { installOnce } from "./install-once.ts";
import { repositoryRoot } from "./repository-root.ts";

const folder = join(repositoryRoot, "test", "node20");

/**
 * Installs Node 20 if it is not installed yet.
 *
 * @returns the path of its executable; undefined if npm has none for this platform.
 */
export async function installNode20(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  await installOnce(folder);
  return join(folder, "node_modules", "node20-linux-x64", "bin", "node");
}

import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "yagate-cli-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The SHA-256 of every file in a folder, by name. */
export async function fingerprints(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).sort();
  const hashes = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, createHash("sha256").update(bytes).digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of a test's own, which is gone after it. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "yagate-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

import { type BigIntStats, lstatSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { fileKindOf } from "../documents/document-file.ts";
import type { FileState } from "./index-writer.ts";

/** A file that may be a document. */
export interface FoundFile extends FileState {
  /** The path at which the file is read: for a link, the path of its target. */
  readonly realPath: string;
}

/** Counts of what the walk skipped. */
export interface WalkCounts {
  /** Files whose extension is not that of a supported document. */
  unsupported: number;
  /**
   * Links to targets outside the folder, to missing targets, or to other documents in the folder; pipes, sockets and
   * devices.
   */
  linksAndSpecial: number;
  /** Folders that could not be read. If there are any, no document counts as deleted. */
  unreadableFolders: number;
}

const MAX_DEPTH = 64;

/**
 * Lists the documents in a folder in the order of their names. Names with a leading dot are skipped. A link is followed
 * only if its target is a file inside the folder, under a name with two leading dots, as in a mounted ConfigMap.
 *
 * @throws if the folder itself cannot be read.
 */
export async function* walkFolder(folder: string, counts: WalkCounts): AsyncGenerator<FoundFile> {
  const root = await realpath(folder);
  yield* walk(root, root, counts, 0);
}

/** Counts the files in a folder that can become documents: an upper bound, for the progress of a new index. */
export async function countFiles(folder: string): Promise<number> {
  let files = 0;
  for await (const _file of walkFolder(folder, { unsupported: 0, linksAndSpecial: 0, unreadableFolders: 0 })) {
    files += 1;
    // Yields, so that searches can run.
    if (files % 500 === 0) await yieldToEventLoop();
  }
  return files;
}

async function* walk(root: string, folder: string, counts: WalkCounts, depth: number): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (folder === root) throw error;
    counts.unreadableFolders += 1;
    return [];
  });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH) yield* walk(root, path, counts, depth + 1);
      else counts.unreadableFolders += 1;
    } else if (!entry.isFile() && !entry.isSymbolicLink()) counts.linksAndSpecial += 1;
    else if (fileKindOf(entry.name) === undefined) counts.unsupported += 1;
    else {
      const found = await findFile(root, path, entry.isSymbolicLink());
      if (found === undefined) counts.linksAndSpecial += 1;
      else yield found;
    }
  }
}

async function findFile(root: string, path: string, isLink: boolean): Promise<FoundFile | undefined> {
  try {
    const realPath = isLink ? await realpath(path) : path;
    if (isLink && !isMountedInside(root, realPath)) return undefined;
    const stats: BigIntStats = isLink ? await stat(realPath, { bigint: true }) : lstatSync(path, { bigint: true });
    if (!stats.isFile()) return undefined;
    const name = relative(root, path).split(sep).join("/");
    return { path: name, realPath, modifiedNs: stats.mtimeNs, size: Number(stats.size) };
  } catch {
    // The file has been deleted, or the link is broken.
    return undefined;
  }
}

/**
 * Returns whether a link's target is in the folder, under a name such as `..data`, where Kubernetes stores mounted
 * files.
 */
function isMountedInside(root: string, target: string): boolean {
  const inside = relative(root, target);
  if (inside === "" || isAbsolute(inside)) return false;
  const parts = inside.split(sep);
  const hidden = parts.filter((part) => part.startsWith("."));
  return parts[0] !== ".." && hidden.length > 0 && hidden.every((part) => part.startsWith(".."));
}

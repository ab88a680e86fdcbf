import { type BigIntStats, lstatSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { fileKindOf } from "../documents/document-file.ts";
import type { FileState } from "./index-writer.ts";

/** A file that may be a document. */
export interface FoundFile extends FileState {
  /** Where its bytes are: for a link, its target. */
  readonly realPath: string;
}

/** What the walk skipped. */
export interface WalkCounts {
  /** Not documents by their extension. */
  unsupported: number;
  /** Links to outside the folder, to nothing, or to another document of the folder; pipes, sockets and devices. */
  linksAndSpecial: number;
  /** Folders that could not be read. If there are any, no document counts as deleted. */
  unreadableFolders: number;
}

const MAX_DEPTH = 64;

/**
 * Lists the documents of a folder in the order of their names. Names with a leading dot are skipped. Links are followed
 * only to files inside the folder, below a name with two leading dots, as in a mounted ConfigMap.
 *
 * @throws if the folder itself can't be read.
 */
export async function* walkFolder(folder: string, counts: WalkCounts): AsyncGenerator<FoundFile> {
  const root = await realpath(folder);
  yield* walk(root, root, counts, 0);
}

/** Maximum number of documents in a folder. */
export async function countFiles(folder: string): Promise<number> {
  let files = 0;
  for await (const _file of walkFolder(folder, { unsupported: 0, linksAndSpecial: 0, unreadableFolders: 0 })) {
    files += 1;
    // Yields to searches.
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
    // The file was deleted meanwhile, or the link is broken.
    return undefined;
  }
}

/** Whether a link's target is in the folder, below a name such as `..data`, where Kubernetes stores mounted files. */
function isMountedInside(root: string, target: string): boolean {
  const inside = relative(root, target);
  if (inside === "" || isAbsolute(inside)) return false;
  const parts = inside.split(sep);
  const hidden = parts.filter((part) => part.startsWith("."));
  return parts[0] !== ".." && hidden.length > 0 && hidden.every((part) => part.startsWith(".."));
}

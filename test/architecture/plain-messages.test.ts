import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

const COMMENT = /\/\*.*?\*\/|(?<=^|\s)(?:\/\/|-- )[^\n]*/gs;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Words that name no actor, or have a plainer equivalent in docs/glossary.md. */
const UNCLEAR =
  /\b(?:who(?:m)?ever|nobody|somebody|anybody|anew|(?:is|are|was|were) told|strangers|a stranger|laid down|brought|taken for|looked (?:at|for)|(?:wrote|written) down|under way|by now|go(?:es)? on|asked about|ends? with status|(?:is|are) no whole)\b/i;
/** Sources whose literals avoid these words. */
const PLAIN_LITERALS = /^(?:packages\/[^/]+\/src|examples|scripts)\//;
/** Sources whose comments and docstrings avoid these words as well: all but migrations, which never change. */
const PLAIN_COMMENTS = /^(?:packages\/[^/]+\/src|examples|scripts)\/(?!.*\/migrations\/)/;
/** Pages whose prose avoids these words. The glossary names the words to avoid. */
const PLAIN_PAGES = /^(?:README|CHANGELOG|docs\/(?!glossary).*|packages\/[^/]+\/README|examples\/[^/]+\/README)\.md$/;

function unclearLiterals(source: string): readonly string[] {
  return [...source.replace(COMMENT, " ").matchAll(LITERAL)].map(([text]) => text).filter((text) => UNCLEAR.test(text));
}

function unclearComments(source: string): readonly string[] {
  return [...source.matchAll(COMMENT)]
    .map(([text]) => text)
    .filter((text) => UNCLEAR.test(text.replace(/\s+\*?\s*/g, " ")));
}

function unclearProse(page: string): readonly string[] {
  const prose = page.replace(/^( *)(`{3,})[\s\S]*?^ *\2 *$/gm, "").replace(/<a id="[^"]*">/g, "");
  return prose.split("\n").filter((line) => UNCLEAR.test(line));
}

function findIn(sources: RegExp, find: (source: string) => readonly string[]): readonly string[] {
  return repositoryFiles()
    .filter((path) => sources.test(path) && /\.(?:ts|md)$/.test(path))
    .flatMap((path) => find(readFileSync(join(repositoryRoot, path), "utf8")).map((text) => `${path}: ${text}`));
}

it("messages and texts are in plain words", () => {
  expect(findIn(PLAIN_LITERALS, unclearLiterals)).toEqual([]);
});

it("comments and docstrings are in plain words", () => {
  expect(findIn(PLAIN_COMMENTS, unclearComments)).toEqual([]);
});

it("pages are in plain words", () => {
  expect(findIn(PLAIN_PAGES, unclearProse)).toEqual([]);
});

it("finds unclear words in the prose of a page, and not in its code or its anchors", () => {
  expect(unclearProse('Calls under way fail.\n\n```sh\nnobody\n```\n\n<a id="what-whoever-sees"></a>')).toHaveLength(1);
});

it.each([
  ['throw new Error("nobody waits for it");', 1, 0],
  ["const text = `Whoever started ${id}`;", 1, 0],
  ['const text = "the outcome was brought too late";', 1, 0],
  ['/** Whoever asks. */ const text = "the caller"; // nobody else', 0, 2],
  ["/**\n * What was looked\n * at before.\n */", 0, 1],
  ['const text = "the operator is not available"; // `brought` as a name', 0, 1],
])("of %s it finds %i literals and %i comments", (source, literals, comments) => {
  expect(unclearLiterals(source)).toHaveLength(literals);
  expect(unclearComments(source)).toHaveLength(comments);
});

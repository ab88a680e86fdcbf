import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

const COMMENT = /\/\*.*?\*\/|(?<=^|\s)(?:\/\/|-- )[^\n]*/gs;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Words that the messages of a program do without: they name no person, no time and no speaker. */
const UNCLEAR = /\b(?:who(?:m)?ever|nobody|somebody|anybody|anew|(?:is|are) told)\b/i;

function unclearLiterals(source: string): readonly string[] {
  return [...source.replace(COMMENT, " ").matchAll(LITERAL)].map(([text]) => text).filter((text) => UNCLEAR.test(text));
}

it("messages and texts of the packages are in plain words", () => {
  const sources = repositoryFiles().filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
  const unclear = sources.flatMap((path) =>
    unclearLiterals(readFileSync(join(repositoryRoot, path), "utf8")).map((text) => `${path}: ${text}`),
  );
  expect(unclear).toEqual([]);
});

it.each([
  ['throw new Error("nobody waits for it");', 1],
  ["const text = `Whoever started ${id}`;", 1],
  ['/** Whoever asks. */ const text = "the caller"; // nobody else', 0],
])("of %s it finds %i", (source, count) => {
  expect(unclearLiterals(source)).toHaveLength(count);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WARNING_TABLE } from "@yagate/protocol";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

const CODE = /\bcode: "([^"]+)"/g;
const UPPER_SNAKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Codes of Zod, the name that Ajv gives to a pattern engine, and the option of the command line. */
const FOREIGN = new Set(["custom", "invalid_type", "linearPattern", "--code"]);

function wrongCodes(source: string): readonly string[] {
  return [...source.matchAll(CODE)].flatMap(([, code = ""]) =>
    UPPER_SNAKE.test(code) || FOREIGN.has(code) ? [] : [code],
  );
}

it("codes are in upper snake case", () => {
  const wrong = repositoryFiles()
    .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
    .flatMap((path) => wrongCodes(readFileSync(join(repositoryRoot, path), "utf8")).map((code) => `${path}: ${code}`));
  expect(wrong).toEqual([]);
  expect(Object.keys(WARNING_TABLE).filter((code) => !UPPER_SNAKE.test(code))).toEqual([]);
});

it.each(["not_ready", "notReady", "not-ready", "NOT_READY_", "Not_Ready"])("the code %s would be found", (code) => {
  expect(wrongCodes(`return { path, code: "${code}", message };`)).toEqual([code]);
});

import { expect, it } from "vitest";
import { readImports } from "./read-imports.ts";

it.each([
  ["a default import", 'import a from "x";', "x", false],
  ["named imports", 'import { a } from "x";', "x", false],
  ["an import for its effect", 'import "x";', "x", false],
  ["an import of types", 'import type { A } from "x";', "x", true],
  ["an import that keeps an empty statement", 'import { type A } from "x";', "x", false],
  ["a re-export", 'export { a } from "x";', "x", false],
  ["a re-export of types", 'export type { A } from "x";', "x", true],
  ["a type written in place", 'let a: import("x").A;', "x", true],
  ["a dynamic import", 'const a = await import("x");', "x", false],
  ["a require call", 'const a = require("x");', "x", false],
  ["a worker's file", 'new Worker(new URL("./x.ts", import.meta.url));', "./x.ts", false],
])("reads %s", (_name, text, specifier, isTypeOnly) => {
  expect(readImports(text)).toEqual([{ specifier, isTypeOnly }]);
});

it.each([
  ["a comment", '// import a from "x";'],
  ["a string", "const a = 'import a from \"x\"';"],
  ["a URL of the network", 'new URL("https://x.example/a.js");'],
])("reads nothing from %s", (_name, text) => {
  expect(readImports(text)).toEqual([]);
});

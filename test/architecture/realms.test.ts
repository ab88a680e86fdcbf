import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * Classes that frameworks replace (Hono's Node server: Request and Response; Zone.js: Promise), or that a test runner has
 * twice (Jest: all of them): what is one by any other class is not an `instanceof` it.
 */
const REPLACED =
  /\binstanceof (?:globalThis\.)?(Request|Response|Headers|FormData|URL|URLSearchParams|Blob|File|ReadableStream|AbortSignal|AbortController|Event|EventTarget|DOMException|Promise|Error|Map|Set|Date|Array|ArrayBuffer|Uint8Array|Buffer)\b/;
/** In a process of its own the gateway's errors are of one realm; what a program hands to it may not be. */
const OF_THE_WEB = new RegExp(REPLACED.source.replace("|Promise|Error|Map|Set|Date|Array|ArrayBuffer", ""));

const sources = (pattern: RegExp) => repositoryFiles().filter((path) => pattern.test(path));
const uses = (paths: readonly string[], pattern: RegExp) =>
  paths.filter((path) => pattern.test(readFileSync(join(repositoryRoot, path), "utf8")));

it.each<[string, RegExp, RegExp]>([
  ["libraries", /^packages\/(protocol|handler|client)\/src\/.*\.ts$/, REPLACED],
  ["the gateway and the command line", /^packages\/(gateway|cli)\/src\/.*\.ts$/, OF_THE_WEB],
])("%s recognise nothing by a class that may be replaced", (_name, files, pattern) => {
  expect(sources(files).length).toBeGreaterThan(100);
  expect(uses(sources(files), pattern)).toEqual([]);
});

it("the search finds such a check", () => {
  expect(
    ["a instanceof Response", "!(e instanceof Error)", "x instanceof globalThis.Request"].map((text) =>
      REPLACED.test(text),
    ),
  ).toEqual([true, true, true]);
  expect(["a instanceof ResponseError", "z instanceof z.ZodObject"].some((text) => REPLACED.test(text))).toBe(false);
  expect(OF_THE_WEB.test("a instanceof Response") && !OF_THE_WEB.test("e instanceof Error")).toBe(true);
});

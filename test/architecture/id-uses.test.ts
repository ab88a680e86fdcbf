import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { mayMakeIds, misusedIds } from "./rules/id-uses.ts";

const SOURCE = "packages/secrets/src/api-keys.ts";

it("secrets, tokens and nonces are no ids", () => {
  const sources = repositoryFiles().filter(mayMakeIds);
  const texts = sources.map((path) => [path, readFileSync(join(repositoryRoot, path), "utf8")] as const);
  expect(texts.filter(([, text]) => text.includes("newId(")).length).toBeGreaterThan(8);
  expect(texts.flatMap(([path, text]) => misusedIds(path, text).map((use) => `${path}: ${use}`))).toEqual([]);
});

it.each([
  'const secret = newId("apiKey");',
  'const token = { value: newId("execution") };',
  'return sign(newId("attempt"));',
  'const key = { id: newId("apiKey"), text: newId("apiKey") };',
  'const newNonce = () => newId("approval");',
  'const text = `yk_${newId("apiKey")}`;',
  'import { createUuidV7 } from "../ids/uuid-v7.ts";',
])("finds %s", (line) => {
  expect(misusedIds(SOURCE, `const a = 1;\n${line}\n`)).toHaveLength(1);
});

it.each([
  'const id = newId("apiKey");',
  'await store.add({ id: newId("endpoint"), url });',
  'const newExecutionId = () => newId("execution");',
  'const ids = { executionId: newId("execution"), toolCallId: newId("toolCall") };',
  "export function newId(kind: IdKind): string {",
])("finds nothing in %s", (line) => {
  expect(misusedIds(SOURCE, `${line}\n`)).toEqual([]);
});

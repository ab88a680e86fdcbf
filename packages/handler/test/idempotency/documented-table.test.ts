import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { postgresStatements } from "../../src/idempotency/postgres/statements.ts";
import { sqliteStatements } from "../../src/idempotency/sqlite/statements.ts";

const page = readFileSync(join(repositoryRoot, "docs", "idempotency-stores.md"), "utf8");

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

it.each([
  ["PostgreSQL", postgresStatements("yagate_calls", "yagate_calls_expiry").create],
  ["SQLite", sqliteStatements("yagate_calls").create.replaceAll(/"(yagate_\w+)"/g, "$1")],
])("docs/idempotency-stores.md has the statements that make the table in %s", (_name, statements) => {
  const blocks = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => oneLine(text));
  expect(blocks).toContain(oneLine(statements));
});

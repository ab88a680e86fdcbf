import { describe } from "vitest";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { createSqliteEntries, hasSqlite } from "./support/sqlite-entries.ts";

describe.skipIf(!hasSqlite)("in SQLite (needs a Node that has it)", () => {
  describeIdempotencyStore("through node:sqlite", {
    begin: async () => worldOf(await createSqliteEntries()),
    isShared: true,
  });
});

import { describe } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../../../test/services/stored-bytes.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { describeStore } from "./store-conformance.ts";
import { startChild } from "./support/child.ts";
import { execute } from "./support/execute.ts";
import { NOW } from "./support/fixtures.ts";

describe.skipIf(!hasPostgres())("on a PostgreSQL of its own", () => {
  describeStore("the PostgreSQL store", async () => {
    const databaseUrl = await createMigratedDatabase();
    return {
      open: () => openPostgresStore({ databaseUrl, now: () => NOW }),
      startAppender: () => startChild("postgres-appender.ts", databaseUrl),
      recountBytes: () => execute<RecountedBytes>(databaseUrl, RECOUNT_STORED_BYTES),
      forgetBytes: async () => {
        await execute(databaseUrl, "DELETE FROM stored_bytes_changes");
        await execute(databaseUrl, "DELETE FROM workspace_stored_bytes");
        // An older version stored no text apart.
        await execute(
          databaseUrl,
          "INSERT INTO workspace_stored_bytes SELECT workspace_id, sum(octet_length(text)) FROM execution_texts GROUP BY 1",
        );
        await execute(databaseUrl, "DELETE FROM settings WHERE name LIKE 'stored_bytes.%'");
        await execute(databaseUrl, "UPDATE executions SET stored_bytes = NULL");
        await execute(databaseUrl, "UPDATE exchanges SET workspace_id = NULL");
        await execute(databaseUrl, "UPDATE agent_versions SET is_counted = NULL");
        await execute(databaseUrl, "UPDATE tool_versions SET is_counted = NULL");
      },
      dispose: async () => {},
    };
  }, [1, 40, 333]);
});

import { describe } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../../../test/services/stored-bytes.ts";
import { openPostgresStore } from "../src/postgres.ts";
import type { StoreHarness } from "./conformance/store-harness.ts";
import { describeStore, describeStoredForm } from "./store-conformance.ts";
import { startChild } from "./support/child.ts";
import { execute } from "./support/execute.ts";
import { NOW } from "./support/fixtures.ts";

const createHarness = (form: 1 | 2) => async (): Promise<StoreHarness> => {
  const databaseUrl = await createMigratedDatabase();
  await execute(databaseUrl, "UPDATE settings SET value = $1 WHERE name = 'stored_form.min_reader'", [`${form}`]);
  return {
    open: () => openPostgresStore({ databaseUrl, now: () => NOW }),
    startAppender: () => startChild("postgres-appender.ts", databaseUrl),
    recountBytes: () => execute<RecountedBytes>(databaseUrl, RECOUNT_STORED_BYTES),
    forgetBytes: async () => {
      await execute(databaseUrl, "DELETE FROM stored_bytes_changes");
      await execute(databaseUrl, "DELETE FROM workspace_stored_bytes");
      // An older version stored no text apart, and no messages with their append. Triggers count definitions.
      await execute(
        databaseUrl,
        `INSERT INTO workspace_stored_bytes SELECT workspace_id, sum(bytes) FROM (
             SELECT workspace_id, octet_length(text) AS bytes FROM execution_texts
             UNION ALL SELECT e.workspace_id, octet_length(a.exchanges) FROM appends a JOIN executions e ON e.id = a.execution_id
             WHERE a.exchanges IS NOT NULL
             UNION ALL SELECT s.workspace_id, octet_length(d.content)
             FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id) AS counted GROUP BY 1`,
      );
      await execute(databaseUrl, "DELETE FROM settings WHERE name LIKE 'stored_bytes.%'");
      await execute(databaseUrl, "UPDATE executions SET stored_bytes = NULL");
      await execute(databaseUrl, "UPDATE exchanges SET workspace_id = NULL");
      await execute(databaseUrl, "UPDATE agent_versions SET is_counted = NULL");
      await execute(databaseUrl, "UPDATE tool_versions SET is_counted = NULL");
    },
    dispose: async () => {},
  };
};

describe.skipIf(!hasPostgres())("on a PostgreSQL of its own", () => {
  describeStore("the PostgreSQL store", createHarness(2), [1, 40, 333]);
  describeStoredForm("the PostgreSQL store that older replicas read", createHarness(1));
});

import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../../test/services/postgres.ts";
import { describeMcpTaskFaults, describeMcpTasks } from "./mcp-tasks-suite.ts";

describeMcpTaskFaults("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a server", () => {
  const configure = async () => ({ databaseUrl: await createMigratedDatabase() });
  describeMcpTasks("on PostgreSQL", configure);
  describeMcpTaskFaults("on PostgreSQL", configure);
});

import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { describeMcpServer } from "./mcp-suite.ts";

describe.skipIf(!hasPostgres())("with a server", () => {
  describeMcpServer("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});

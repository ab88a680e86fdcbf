import { afterAll, beforeAll, describe } from "vitest";
import { execute } from "../../packages/store/test/support/execute.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { describeFaults } from "./fault-suite.ts";

/** As if so much time had gone by that the leases of whoever has ended have run out. */
async function letLeasesLapse(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl !== undefined) await execute(databaseUrl, "UPDATE executions SET lease_until = 0 WHERE is_open = 1");
}

describe.skipIf(!hasPostgres())("on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeFaults({
    store: "PostgreSQL",
    createDatabase: () => server.createDatabase(),
    afterDeath: letLeasesLapse,
  });
});

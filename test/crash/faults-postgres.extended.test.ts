import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { describeFaults } from "./fault-suite.ts";
import { letLeasesLapse } from "./lapsed-leases.ts";

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

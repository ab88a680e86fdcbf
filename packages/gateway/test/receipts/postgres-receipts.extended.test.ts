import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { openPostgresStore } from "../../src/journal/postgres.ts";
import { execute } from "../journal/support/execute.ts";
import { describeReceipts } from "./support/describe-receipts.ts";

describe.skipIf(!hasPostgres())("on a PostgreSQL of its own", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeReceipts("receipts on PostgreSQL", async () => {
    const databaseUrl = await server.createDatabase();
    return {
      isExclusive: false,
      open: () => openPostgresStore({ databaseUrl }),
      async attack(statements) {
        for (const statement of statements) await execute(databaseUrl, statement);
      },
      dispose: async () => {},
    };
  });
});

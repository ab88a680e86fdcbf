import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { openPostgresStore } from "../../src/journal/postgres.ts";
import { describeStore } from "./store-conformance.ts";
import { startChild } from "./support/child.ts";
import { NOW } from "./support/fixtures.ts";

describe.skipIf(!hasPostgres())("on a PostgreSQL of its own", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeStore("the PostgreSQL store", async () => {
    const databaseUrl = await server.createDatabase();
    return {
      open: () => openPostgresStore({ databaseUrl, now: () => NOW }),
      startAppender: () => startChild("postgres-appender.ts", databaseUrl),
      dispose: async () => {},
    };
  });
});

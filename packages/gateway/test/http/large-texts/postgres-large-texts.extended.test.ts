import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../../test/services/postgres.ts";
import { describeLargeTexts } from "./describe-large-texts.ts";
import { postgresPlace } from "./stored-bytes.ts";

describe.skipIf(!hasPostgres())("on a PostgreSQL of its own", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeLargeTexts("large texts on PostgreSQL", async () => {
    const databaseUrl = await server.createDatabase();
    return { config: { databaseUrl }, place: () => postgresPlace(databaseUrl) };
  });
});

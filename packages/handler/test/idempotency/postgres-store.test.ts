import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { createPostgresEntries } from "./support/postgres-entries.ts";

describe.skipIf(!hasPostgres())("in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeIdempotencyStore("through pg", {
    begin: async () => worldOf(await createPostgresEntries(server)),
    isShared: true,
  });
});

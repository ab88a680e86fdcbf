import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { describeKeys } from "./support/describe-api-keys.ts";

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeKeys("of two gateways on PostgreSQL", 2, async () => ({ databaseUrl: await createMigratedDatabase() }));
});

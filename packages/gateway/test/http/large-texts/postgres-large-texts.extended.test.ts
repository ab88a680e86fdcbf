import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../../test/services/postgres.ts";
import { describeLargeTexts } from "./describe-large-texts.ts";
import { postgresPlace } from "./stored-bytes.ts";

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeLargeTexts("large texts on PostgreSQL", async () => {
    const databaseUrl = await createMigratedDatabase();
    return { config: { databaseUrl }, place: () => postgresPlace(databaseUrl) };
  });
});

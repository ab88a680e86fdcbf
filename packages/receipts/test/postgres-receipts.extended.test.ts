import { describe } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { openPostgresStore } from "../../store/src/postgres.ts";
import { execute } from "../../store/test/support/execute.ts";
import { describeReceipts } from "./support/describe-receipts.ts";

describe.skipIf(!hasPostgres()).each([1, 2])("with a PostgreSQL in the stored form %i", (form) => {
  describeReceipts("receipts on PostgreSQL", async () => {
    const databaseUrl = await createMigratedDatabase();
    await execute(databaseUrl, "UPDATE settings SET value = $1 WHERE name = 'stored_form.min_reader'", [`${form}`]);
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

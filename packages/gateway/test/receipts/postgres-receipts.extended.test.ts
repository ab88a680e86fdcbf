import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { openPostgresStore } from "../../../store/src/postgres.ts";
import { execute } from "../../../store/test/support/execute.ts";
import { describeReceipts } from "./support/describe-receipts.ts";

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeReceipts("receipts on PostgreSQL", async () => {
    const databaseUrl = await createMigratedDatabase();
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

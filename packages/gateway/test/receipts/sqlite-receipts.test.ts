import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { describeReceipts } from "./support/describe-receipts.ts";

describeReceipts("receipts on SQLite", async () => {
  const directory = await makeTemporaryDirectory();
  const dataDir = join(directory.path, "data");
  return {
    isExclusive: true,
    open: () => openSqliteStore({ dataDir }),
    async attack(statements) {
      const database = new DatabaseSync(join(dataDir, "journal.db"));
      for (const statement of statements) database.exec(statement);
      database.close();
    },
    dispose: () => directory.remove(),
  };
});

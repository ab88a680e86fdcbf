import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../../../test/services/stored-bytes.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import type { StoreHarness } from "./conformance/store-harness.ts";
import { describeStore, describeStoredForm } from "./store-conformance.ts";
import { startChild } from "./support/child.ts";
import { NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const createHarness = (form: 1 | 2) => async (): Promise<StoreHarness> => {
  const directory = await makeTemporaryDirectory();
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  await placeMigratedJournal(dataDir);
  const withFile = <Result>(work: (database: DatabaseSync) => Result) => {
    const database = new DatabaseSync(join(dataDir, "journal.db"));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    open: () => openSqliteStore({ dataDir, form, now: () => NOW }),
    startAppender: () => startChild("sqlite-appender.ts", dataDir),
    // The rows are as the statement names them.
    recountBytes: async () =>
      withFile((database) => database.prepare(RECOUNT_STORED_BYTES).all() as unknown as readonly RecountedBytes[]),
    forgetBytes: async () =>
      withFile((database) =>
        database.exec("DELETE FROM workspace_stored_bytes; UPDATE stored_bytes_positions SET position = 0"),
      ),
    dispose: () => directory.remove(),
  };
};

describeStore("the SQLite store", createHarness(2));
describeStoredForm("the SQLite store as an older version wrote it", createHarness(1));

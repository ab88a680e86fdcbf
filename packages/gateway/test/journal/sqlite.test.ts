import { join } from "node:path";
import { openSqliteStore } from "../../src/journal/sqlite.ts";
import { describeStore } from "./store-conformance.ts";
import { startChild } from "./support/child.ts";
import { NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

describeStore("the SQLite store", async () => {
  const directory = await makeTemporaryDirectory();
  const dataDir = join(directory.path, "data");
  return {
    open: () => openSqliteStore({ dataDir, now: () => NOW }),
    startAppender: () => startChild("sqlite-appender.ts", dataDir),
    dispose: () => directory.remove(),
  };
});

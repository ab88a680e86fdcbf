import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { RECOUNT_STORED_BYTES } from "../../../test/services/stored-bytes.ts";
import { appendTo } from "../src/events/event-store.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { appendOf, executionOf, NOW, summaryOf } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

it("stored bytes are counted again after VACUUM renumbered the rows", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const store = await openSqliteStore({ dataDir: directory.path });
  for (let n = 0; n < 20; n += 1) {
    const { execution } = await store.eventStore.create(executionOf("ws_a"));
    const finishedAt = n < 10 ? NOW : NOW + 10;
    await appendTo(store.eventStore, {
      ...appendOf(execution.id, 0),
      summary: { ...summaryOf("completed"), finishedAt },
    });
  }
  while (!(await store.storedBytes.advance()));
  await store.retention.deleteEnded({ endedBefore: NOW + 1, afterId: "", limit: 20 });
  const kept = await store.storedBytes.totals();
  await store.close();
  const database = new DatabaseSync(join(directory.path, "journal.db"));
  database.exec("VACUUM");
  database.close();

  const again = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(() => again.close());
  await again.eventStore.create(executionOf("ws_b"));
  while (!(await again.storedBytes.advance()));
  const totals = await again.storedBytes.totals();
  expect(totals.get("ws_a")).toBe(kept.get("ws_a"));
  const rows = new DatabaseSync(join(directory.path, "journal.db"), { readOnly: true });
  const recounted = rows.prepare(RECOUNT_STORED_BYTES).all();
  rows.close();
  expect(recounted).toEqual([...totals].map(([workspace_id, bytes]) => ({ workspace_id, bytes })));
});

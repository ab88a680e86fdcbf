import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@yagate/store/port";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { type AttackedPlace, describeReceipts } from "./support/describe-receipts.ts";
import { makeAgentAndWorkspace, play, playOn, receiptsOn } from "./support/receipt-world.ts";
import { IDS, storyAppends } from "./support/story.ts";

const FORMS = [1, 2] as const;

describe.each(FORMS)("in the stored form %i", (form) => {
  describeReceipts("receipts on SQLite", () => createPlace(form));
});

async function createPlace(form: (typeof FORMS)[number]): Promise<AttackedPlace> {
  const directory = await makeTemporaryDirectory();
  const dataDir = join(directory.path, "data");
  return {
    isExclusive: true,
    open: () => openSqliteStore({ dataDir, form }),
    async attack(statements) {
      const database = new DatabaseSync(join(dataDir, "journal.db"));
      for (const statement of statements) database.exec(statement);
      database.close();
    },
    dispose: () => directory.remove(),
  };
}

it.each([
  ["an older form", 1, 2],
  ["a newer form", 2, 1],
] as const)(
  "a record that goes on after appends of %s is verified, and shows a change in each",
  async (_name, first, then) => {
    const directory = await makeTemporaryDirectory();
    onTestFinished(() => directory.remove());
    const dataDir = join(directory.path, "data");
    const older = await openSqliteStore({ dataDir, form: first });
    await makeAgentAndWorkspace(older);
    await play(older, "exec_a", { appends: 2 });
    await older.close();
    const store = await openSqliteStore({ dataDir, form: then });
    await playOn(receiptsOn(store).eventStore, "exec_a", storyAppends("exec_a").slice(2));
    const receiptOf = (of: Store) => receiptsOn(of).service.receipt(IDS.workspace, "exec_a");
    expect(await receiptOf(store)).toMatchObject({ verified: true, isFinal: true });
    const forms = (await store.records.appends("exec_a")).map(({ link }) => link?.slice(0, 2));
    expect(forms).toEqual([`${first}.`, `${first}.`, `${then}.`, `${then}.`, `${then}.`, `${then}.`]);
    await store.close();
    for (const [from, to, seq] of [
      ["3 days", "0 days", 11],
      ["0 days", "3 days", undefined],
      ["06:00:13.000", "06:00:12.999", 13],
    ] as const) {
      const database = new DatabaseSync(join(dataDir, "journal.db"));
      database.prepare("UPDATE appends SET entries = replace(entries, ?, ?) WHERE last_seq IN (12, 13)").run(from, to);
      database.close();
      const changed = await openSqliteStore({ dataDir });
      expect((await receiptOf(changed)).difference?.seq).toBe(seq);
      await changed.close();
    }
  },
);

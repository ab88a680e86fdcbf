import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { journal0001 } from "../../src/journal/sqlite/migrations/0001-journal.ts";
import { openSqliteStore } from "../../src/journal/sqlite.ts";
import { NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

it("a journal of the first schema keeps its rows and gets the tables that came later", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new DatabaseSync(join(dataDir, "journal.db"));
  old.exec(journal0001);
  old.exec("PRAGMA application_id = 1499555681; PRAGMA user_version = 1");
  old.exec(`INSERT INTO workspaces (id, name, created_at) VALUES ('ws_old', 'default', ${NOW})`);
  old.exec("INSERT INTO endpoints (id, workspace_id, url) VALUES ('ep_old', 'ws_old', 'https://shop.example/tools')");
  old.close();

  for (const _start of ["first", "second"]) {
    const store = await openSqliteStore({ dataDir });
    expect(await store.workspaces.findByName("default")).toEqual({
      id: "ws_old",
      name: "default",
      plan: "standard",
      createdAt: NOW,
    });
    const change = { workspaceId: "ws_old", name: "KEY", sealed: "sealed", at: NOW };
    expect(await store.workspaceSecrets.put(change, 1)).toMatchObject({ name: "KEY", createdAt: NOW });
    expect((await store.workspaceProviders.list("ws_old", { limit: 1 })).data).toEqual([]);
    expect((await store.integrations.list("ws_old", { limit: 1 })).data).toEqual([]);
    // As if it were used now: when it was used is not known.
    expect(await store.journal.deleteExpired(Date.now(), 100)).toBe(0);
    expect((await store.endpoints.list("ws_old", { limit: 1 })).data).toMatchObject([{ id: "ep_old" }]);
    await store.close();
  }
});

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { migrate } from "../src/sqlite/migrations/migrate.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";
import { expectUnbound, UNBOUND_ROWS } from "./support/unbound-rows.ts";

/** The last schema in which secrets had no hosts. */
const BEFORE_BOUND_KEYS = 10;

it("a store of the first schema keeps its rows and gets the later tables", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new SqliteConnection(join(dataDir, "journal.db"));
  migrate(old, 1);
  old.execute(`INSERT INTO workspaces (id, name, created_at) VALUES ('ws_old', 'default', ${NOW})`);
  old.execute(
    "INSERT INTO endpoints (id, workspace_id, url) VALUES ('ep_old', 'ws_old', 'https://shop.example/tools')",
  );
  old.execute(
    `INSERT INTO executions VALUES ('exec_old', 'ws_old', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'failed',
       '{"output":null,"error":{"code":"MODEL_ERROR","message":"x"}}');
     INSERT INTO executions VALUES ('exec_cut', 'ws_old', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'completed',
       '{"stopReason":"truncated","output":{"text":"x"}}');
     INSERT INTO execution_requests VALUES ('exec_cut', '{"input":"x"}');
     INSERT INTO execution_requests VALUES ('exec_old', '{"input":"x","metadata":{"orderId":"ORD-7","n":1}}')`,
  );
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
    const filters = [{ errorCode: "MODEL_ERROR" }, { metadata: [{ name: "orderId", value: "ORD-7" }] }];
    for (const filter of filters) {
      expect((await store.eventStore.list("ws_old", { limit: 5 }, filter)).data).toMatchObject([{ id: "exec_old" }]);
    }
    const cut = await store.eventStore.list("ws_old", { limit: 5 }, { stopReason: "truncated" });
    expect(cut.data).toMatchObject([{ id: "exec_cut" }]);
    // As if it were used now: when it was used is not known.
    expect(await store.eventStore.deleteExpired(Date.now(), 100)).toBe(0);
    expect((await store.endpoints.list("ws_old", { limit: 1 })).data).toMatchObject([{ id: "ep_old" }]);
    await store.close();
  }
});

it("secrets and providers from before keys were bound to hosts are marked until they are written", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new SqliteConnection(join(dataDir, "journal.db"));
  migrate(old, BEFORE_BOUND_KEYS);
  for (const statement of UNBOUND_ROWS) old.execute(statement);
  old.close();
  const store = await openSqliteStore({ dataDir });
  await expectUnbound(store);
  await store.close();
});

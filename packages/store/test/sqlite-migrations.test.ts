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
/** The last schema in which only the tools that follow a source were stored, not what rules their versions. */
const BEFORE_RULED_VERSIONS = 25;

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

it("a store of any older schema, the last one included, gets the newest", () => {
  const migrated = (...schemas: readonly (number | undefined)[]) => {
    const connection = new SqliteConnection(":memory:");
    onTestFinished(() => connection.close());
    for (const schema of schemas) migrate(connection, schema);
    const version = connection.prepare<{ value: number }>("SELECT user_version AS value FROM pragma_user_version");
    const tables = connection.prepare<{ sql: string }>("SELECT sql FROM sqlite_schema ORDER BY name");
    return { version: version.get()?.value ?? 0, tables: tables.all() };
  };
  const newest = migrated(undefined);
  for (let schema = 1; schema < newest.version; schema += 1) {
    expect(migrated(schema).version).toBe(schema);
    expect(migrated(schema, undefined)).toEqual(newest);
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

it("versions of tools that followed a source before are ruled by what is accepted now", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new SqliteConnection(join(dataDir, "journal.db"));
  migrate(old, BEFORE_RULED_VERSIONS);
  old.execute(
    `INSERT INTO tool_sources 
         (id, workspace_id, name, kind, settings, revision, status, status_at, generation, created_at, updated_at)
       VALUES ('src_1', 'ws_1', 'orders', 'openapi', '{}', 1, 'ready', ${NOW}, 1, ${NOW}, ${NOW});
     INSERT INTO tool_source_tools (source_id, name, published_hash, accepted_hash)
       VALUES ('src_1', 'kept', 'sha256:a', 'sha256:a'), ('src_1', 'revoked', 'sha256:b', NULL);
     INSERT INTO tool_source_definitions (source_id, name, hash, content, accepted_at)
       VALUES ('src_1', 'kept', 'sha256:a', '{}', ${NOW});
     INSERT INTO tool_versions (tool_id, version, status, content)
       VALUES ('tool_kept', 1, 'active', '{}'), ('tool_revoked', 1, 'active', '{}'), ('tool_other', 1, 'active', '{}');
     INSERT INTO adopted_tools VALUES ('tool_kept', 'src_1', 'kept'), ('tool_revoked', 'src_1', 'revoked')`,
  );
  old.close();
  const store = await openSqliteStore({ dataDir });
  const standings = ["tool_kept", "tool_revoked", "tool_other"].map((tool) =>
    store.toolSources.standingOfVersion({ tool, version: 1 }),
  );
  expect(await Promise.all(standings)).toEqual(["current", "withdrawn", undefined]);
  await store.close();
});

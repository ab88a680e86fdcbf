import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { migrate } from "../src/postgres/migrations/migrate.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { execute } from "./support/execute.ts";
import { executionOf } from "./support/fixtures.ts";
import { expectUnbound, UNBOUND_ROWS } from "./support/unbound-rows.ts";

const REPLICAS = 8;
/** The last schema in which secrets had no hosts. */
const BEFORE_BOUND_KEYS = 10;

describe.skipIf(!hasPostgres())("the schema in PostgreSQL", () => {
  let server: PostgresServer;
  let databaseUrl: string;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
  });

  const tables = async () => {
    const rows = await execute<{ name: string }>(
      databaseUrl,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };

  it("is made once by replicas that start at the same time", async () => {
    const reports = await Promise.all(Array.from({ length: REPLICAS }, () => migrate(databaseUrl)));
    const { version } = await migrate(databaseUrl, { isCheck: true });
    expect(reports.map(({ applied }) => applied).filter((applied) => applied > 0)).toEqual([version]);
    const stores = await Promise.all(
      Array.from({ length: REPLICAS }, () => openPostgresStore({ databaseUrl, connections: 8 })),
    );
    const { execution } = await (stores[0] ?? expect.fail()).eventStore.create(executionOf("ws_a"));
    for (const { eventStore, close } of stores) {
      expect(await eventStore.find(execution.id, "ws_a")).toEqual(execution);
      await close();
    }
  });

  it("is only looked at when that is asked for", async () => {
    const opening = openPostgresStore({ databaseUrl, migrations: "check" });
    await expect(opening).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/has schema 0, and this version needs \d+: run "yagate migrate" first/),
    });
    expect(await tables()).toEqual([]);
    await migrate(databaseUrl);
    await (await openPostgresStore({ databaseUrl, migrations: "check" })).close();
  });

  it("of the first version gets what came later, and keeps its rows", async () => {
    await migrate(databaseUrl, { upTo: 1 });
    await execute(databaseUrl, "INSERT INTO endpoints VALUES ('ep_old', 'ws_a', 'https://shop.example/tools')");
    await execute(databaseUrl, "INSERT INTO settings VALUES ('canary', 'alive')");
    await execute(
      databaseUrl,
      `INSERT INTO executions VALUES ('exec_old', 'ws_a', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'failed',
         '{"output":null,"error":{"code":"MODEL_ERROR","message":"x"}}');
       INSERT INTO executions VALUES ('exec_cut', 'ws_a', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'completed',
         '{"stopReason":"truncated","output":{"text":"x"}}');
       INSERT INTO execution_requests VALUES ('exec_cut', '{"input":"x"}');
       INSERT INTO execution_requests VALUES ('exec_old', '{"input":"x","metadata":{"orderId":"ORD-7","nul":"\\u0000"}}')`,
    );
    await expect(migrate(databaseUrl, { isCheck: true })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const { version, applied } = await migrate(databaseUrl);
    expect(applied).toBe(version - 1);
    const store = await openPostgresStore({ databaseUrl });
    expect(await store.settings.get("canary")).toBe("alive");
    expect(await store.workspaceSecrets.list("ws_a", { limit: 1 })).toEqual({ data: [], nextCursor: null });
    expect(await store.approvals.list("ws_a", { limit: 1 })).toEqual({ data: [], nextCursor: null });
    const filters = [{ errorCode: "MODEL_ERROR" }, { metadata: [{ name: "orderId", value: "ORD-7" }] }];
    for (const filter of filters) {
      expect((await store.eventStore.list("ws_a", { limit: 5 }, filter)).data).toMatchObject([{ id: "exec_old" }]);
    }
    const cut = await store.eventStore.list("ws_a", { limit: 5 }, { stopReason: "truncated" });
    expect(cut.data).toMatchObject([{ id: "exec_cut" }]);
    // As if it were used now: when it was used is not known.
    expect(await store.eventStore.deleteExpired(Date.now(), 100)).toBe(0);
    await store.close();
  });

  it("of before keys were bound to hosts marks its secrets and providers until they are written", async () => {
    await migrate(databaseUrl, { upTo: BEFORE_BOUND_KEYS });
    for (const statement of UNBOUND_ROWS) await execute(databaseUrl, statement);
    const store = await openPostgresStore({ databaseUrl });
    await expectUnbound(store);
    await store.close();
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      "was migrated by a newer version",
      ["INSERT INTO yagate_migrations VALUES (99, 'x', now())"],
      /migrated by a newer version \(schema 99, this version supports \d+\)/,
    ],
    ["has another step than ours", ["UPDATE yagate_migrations SET checksum = 'x' WHERE version = 1"], /step 1 of/],
    [
      "contains tables of another program",
      ["DROP TABLE yagate_migrations"],
      /contains tables of another program: give the gateway an empty database, or an empty schema of its own/,
    ],
  ])("that %s is refused and left as it is", async (_name, changes, message) => {
    await migrate(databaseUrl);
    for (const change of changes) await execute(databaseUrl, change);
    const before = await tables();
    const refusal = { code: "UNAVAILABLE", message: expect.stringMatching(message) };
    await expect(openPostgresStore({ databaseUrl })).rejects.toMatchObject(refusal);
    expect(await tables()).toEqual(before);
  });

  it.each(["apply", "check"] as const)("is not put beside another program's table (%s)", async (migrations) => {
    await execute(databaseUrl, "CREATE TABLE users (id integer)");
    await expect(openPostgresStore({ databaseUrl, migrations })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/another program: .*an empty schema of its own by adding \?options=.*not changed/),
    });
    expect(await tables()).toEqual(["users"]);
  });

  it("may be in a schema of its own beside another program's", async () => {
    await execute(databaseUrl, "CREATE TABLE users (id integer)");
    const own = `${databaseUrl}?options=-csearch_path%3Dyagate`;
    await expect(migrate(own)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("CREATE SCHEMA"),
    });
    await execute(databaseUrl, "CREATE SCHEMA yagate");
    const store = await openPostgresStore({ databaseUrl: own });
    const { execution } = await store.eventStore.create(executionOf("ws_a"));
    expect(await store.eventStore.find(execution.id, "ws_a")).toEqual(execution);
    await store.close();
    expect(await tables()).toEqual(["users"]);
  });

  it("is created beside the tables of an extension", async () => {
    // As an extension's own script would: plpgsql is there always.
    await execute(databaseUrl, "CREATE TABLE spatial (id integer)");
    await execute(databaseUrl, "ALTER EXTENSION plpgsql ADD TABLE spatial");
    const { version, applied } = await migrate(databaseUrl);
    expect(applied).toBe(version);
  });

  it("is refused to a database of another encoding", async () => {
    await execute(databaseUrl, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const latin = new URL(databaseUrl);
    latin.pathname = "/latin";
    await expect(migrate(latin.href)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("encoding is not UTF8"),
    });
  });

  it("keeps lists in the order of their ids, whatever the database's locale", async () => {
    await execute(
      databaseUrl,
      "CREATE DATABASE worded TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US-u-ka-shifted'",
    );
    const worded = new URL(databaseUrl);
    worded.pathname = "/worded";
    const store = await openPostgresStore({ databaseUrl: worded.href });
    const ids = ["exec_a", "exec_B", "exec_b", "exec_A"];
    for (const id of ids) await store.eventStore.create(executionOf("ws_a", { id }));
    const { data } = await store.eventStore.list("ws_a", { limit: 10 });
    expect(data.map(({ id }) => id)).toEqual(["exec_b", "exec_a", "exec_B", "exec_A"]);
    await store.close();
  });

  it.each<[string, (url: URL) => void, RegExp]>([
    ["a wrong password", (url) => (url.password = "wrong-password"), /rejected the user or the password/],
    ["a database that is not there", (url) => (url.pathname = "/nowhere"), /the database does not exist/],
    ["a port without a listener", (url) => (url.port = "1"), /the database does not respond/],
  ])(
    "is not reached with %s, which the message says with the place, without the password",
    async (_name, change, message) => {
      const url = new URL(databaseUrl);
      change(url);
      const error = await openPostgresStore({ databaseUrl: url.href }).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringMatching(message) });
      const said = JSON.stringify(error, Object.getOwnPropertyNames(error));
      expect(said).toContain(`no connection to PostgreSQL at ${url.hostname}:${url.port}: `);
      expect(said).not.toContain(url.password);
      expect(said).not.toContain(`${url.username}:`);
    },
  );
});

import { problemSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { startDatabaseProxy } from "../../../store/test/support/database-proxy.ts";
import { execute } from "../../../store/test/support/execute.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { createGateway } from "../../src/gateway.ts";

const KEY = "yk_0123456789abcdef0123456789abcdef";

async function start(config: Partial<GatewayConfig> = {}) {
  const directory = await makeTemporaryDirectory();
  const gateway = createGateway({
    port: 0,
    dataDir: directory.path,
    apiKey: KEY,
    drainMs: 0,
    logLevel: "silent",
    ...config,
  });
  const { url } = await gateway.start();
  onTestFinished(async () => {
    await gateway.stop();
    await directory.remove();
  });
  /** The names of the checks that failed; none when it is ready. */
  const failing = async (): Promise<readonly string[]> => {
    const response = await fetch(`${url}/readyz`);
    if (response.status === 200) return [];
    const { status, code, errors } = problemSchema.parse(await response.json());
    expect([response.status, status, code]).toEqual([503, 503, "UNAVAILABLE"]);
    return (errors ?? []).map(({ path }) => path);
  };
  const listAgents = () => fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${KEY}` } });
  return { gateway, url, failing, listAgents };
}

describe("/readyz", () => {
  it("says what was looked at", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "ok", checks: ["journal", "writes", "migrations", "keys", "lease", "disk"] },
    ]);
  });

  it("names what is missing, and the process is alive meanwhile", async () => {
    const { url, failing } = await start({ minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
    expect(await failing()).toEqual(["disk"]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("turns first when the gateway stops: requests that still come are served until the notice is over", async () => {
    const { gateway, url, failing, listAgents } = await start({ drainNoticeMs: 1_000 });
    expect(await failing()).toEqual([]);
    const stopped = gateway.stop();
    expect(await failing()).toEqual(["draining"]);
    expect((await listAgents()).status).toBe(200);
    await stopped;
    await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  });
});

describe.skipIf(!hasPostgres())("/readyz on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("follows the database: away and back, emptied of its keys, and with a schema that lacks a step", async () => {
    const databaseUrl = await server.createDatabase();
    const proxy = await startDatabaseProxy(databaseUrl);
    onTestFinished(() => proxy.close());
    const { failing } = await start({ databaseUrl: proxy.url });
    expect(await failing()).toEqual([]);

    proxy.refuse();
    await expect.poll(failing).toEqual(expect.arrayContaining(["journal", "migrations", "keys"]));
    proxy.pass();
    await expect.poll(failing).toEqual([]);

    await execute(databaseUrl, "UPDATE settings SET name = 'put away' WHERE name = 'keyring.canary'");
    await expect.poll(failing).toEqual(["keys"]);
    await execute(databaseUrl, "UPDATE settings SET name = 'keyring.canary' WHERE name = 'put away'");
    await execute(
      databaseUrl,
      "DELETE FROM yagate_migrations WHERE version = (SELECT max(version) FROM yagate_migrations)",
    );
    await expect.poll(failing).toEqual(["migrations"]);
  });

  it("is not ready while the server is down, and ready again by itself when it has started", async () => {
    const { failing, url } = await start({ databaseUrl: await server.createDatabase() });
    expect(await failing()).toEqual([]);
    await server.shutDown("immediate");
    await expect.poll(failing).toEqual(expect.arrayContaining(["journal", "migrations", "keys"]));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await server.startAgain();
    await expect.poll(failing).toEqual([]);
  });
});

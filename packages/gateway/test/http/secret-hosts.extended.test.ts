import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import { forkGateway } from "./support/forked-gateway.ts";
import { runStatements, type StoppedStore, unbindSecrets } from "./support/legacy-rows.ts";
import { startWorld, type World } from "./support/world.ts";

const VALUE = "sk-planted-0123456789";
const ELSEWHERE = "https://elsewhere.example/v1";
const KEY = { apiKey: "workspace-secret://KEY" };
/** That a request with the key would leave: the name leads to no public address. */
const LEAVES = { code: "MODEL_ERROR", message: expect.stringContaining("could not be reached (DNS_BLOCKED)") };
const REFUSED = {
  code: "NOT_CONFIGURED",
  message:
    "the workspace secret KEY may not be sent to elsewhere.example; " +
    "add the host to the secret with `yagate secret set KEY --host elsewhere.example`",
};

/** No name leads anywhere. */
const CLOSED: Partial<GatewayConfig> = {
  lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  allowCidrs: [],
  logLevel: "silent",
};

async function startClosed(config: Partial<GatewayConfig> = {}): Promise<World> {
  const world = await startWorld({ ...CLOSED, ...config });
  onTestFinished(() => world.stop());
  return world;
}

const putSecret = (world: World, body: object, key = world.key, name = "KEY") =>
  world.call("putSecret", { params: { name }, body: { value: VALUE, ...body }, key });
const putProvider = (world: World, name: string, body: object, key = world.key) =>
  world.call("putProvider", { params: { name }, body: { ...KEY, ...body }, key });
const makeKey = async (world: World, ...scopes: Scope[]) => (await world.makeKey(scopes)).text;

/** How an execution ends whose model is the provider's. */
async function errorOf(world: World, provider: string) {
  const agent = await makeAgent(world, { model: `${provider}/m` });
  return (await execute(world, agent.id, { input: "hello" })).error;
}

function describeBinding(store: string, databaseUrlOf: () => Promise<{ databaseUrl?: string }>): void {
  describe(`the key of a provider, ${store}`, () => {
    let shared: World;
    beforeAll(async () => {
      shared = await startWorld({ ...CLOSED, ...(await databaseUrlOf()) });
      expectStatus(await putSecret(shared, {}), 200);
    });
    afterAll(() => shared?.stop());

    it.each<[string, string, string, string]>([
      ["openai", "another host", "https://elsewhere.example", "elsewhere.example"],
      [
        "openai",
        "a host that begins like the provider's",
        "https://api.openai.com.evil.example",
        "api.openai.com.evil.example",
      ],
      ["openai", "a host that ends like the provider's", "https://evilapi.openai.com/v1", "evilapi.openai.com"],
      ["openai", "another provider's own", "https://api.anthropic.com/v1", "api.anthropic.com"],
      ["anthropic", "a name below a provider's that has none", "https://eu.api.anthropic.com", "eu.api.anthropic.com"],
      [
        "alibaba",
        "another service of its cloud",
        "https://mine.oss-cn-beijing.aliyuncs.com/v1",
        "mine.oss-cn-beijing.aliyuncs.com",
      ],
      ["google", "another service of its cloud", "https://mine.googleapis.com/v1", "mine.googleapis.com"],
      ["mine", "a known provider's host under another name", "https://api.openai.com/v1", "api.openai.com"],
      ["openai", "a name in Unicode", "https://bücher.example/v1", "xn--bcher-kva.example"],
      ["openai", "an absolute name", "https://elsewhere.example./v1", "elsewhere.example`"],
      ["openai", "a public address", "https://93.184.216.34/v1", "93.184.216.34"],
    ])("of %s is refused where it would go to %s", async (provider, _where, baseUrl, host) => {
      const problem = problemOf(await putProvider(shared, provider, { baseUrl }));
      expect(problem).toMatchObject({
        status: 422,
        errors: [
          {
            path: "baseUrl",
            code: "SECRET_NOT_BOUND",
            message: expect.stringContaining(`yagate secret set KEY --host ${host}`),
          },
        ],
      });
      expect(JSON.stringify(problem)).not.toContain("planted");
    });

    it("goes to the provider's own hosts, of its regions too, without naming them", async () => {
      const world = await startClosed(await databaseUrlOf());
      expectStatus(await putSecret(world, {}), 200);
      for (const [provider, baseUrl] of [
        ["openai", undefined],
        ["openai", "https://eu.api.openai.com"],
        ["openai", "https://API.OpenAI.com./v1"],
        ["anthropic", undefined],
        ["google", undefined],
        ["mistral", undefined],
        ["xai", "https://eu-west-1.api.x.ai/v1"],
        ["deepseek", undefined],
        ["alibaba", "https://dashscope.aliyuncs.com"],
        ["zai", "https://open.bigmodel.cn/api/paas/v4"],
      ] as const) {
        expectStatus(await putProvider(world, provider, baseUrl === undefined ? {} : { baseUrl }), 200);
        expect({ provider, error: await errorOf(world, provider) }).toEqual({ provider, error: LEAVES });
      }
    });

    it("goes to a host that its secret names, as long as it does", async () => {
      const world = await startClosed(await databaseUrlOf());
      expectStatus(await putSecret(world, { hosts: ["elsewhere.example"] }), 200);
      for (const baseUrl of [ELSEWHERE, "https://elsewhere.example./v1/deep/path"]) {
        expectStatus(await putProvider(world, "openai", { baseUrl }), 200);
        expect(await errorOf(world, "openai")).toEqual(LEAVES);
      }
      expectStatus(await putProvider(world, "openai", { baseUrl: ELSEWHERE }), 200);
      for (const hosts of [[], ["other.example"], ["*.elsewhere.example"], ["api.openai.com"]]) {
        expectStatus(await putSecret(world, { hosts }), 200);
        const options = [...hosts, "elsewhere.example"].map((host) => `--host ${host}`).join(" ");
        const message = expect.stringContaining(`\`yagate secret set KEY ${options}\``);
        expect(await errorOf(world, "openai")).toEqual({ ...REFUSED, message });
      }
      expectStatus(await putSecret(world, { hosts: ["*.elsewhere.example"] }), 200);
      expectStatus(await putProvider(world, "openai", { baseUrl: "https://llm.elsewhere.example" }), 200);
      expect(await errorOf(world, "openai")).toEqual(LEAVES);
    });

    it("is held to its hosts where it is set after the provider, and where it is made again", async () => {
      const world = await startClosed(await databaseUrlOf());
      expectStatus(await putProvider(world, "openai", { baseUrl: ELSEWHERE }), 200);
      const secretsKey = await makeKey(world, "secrets");
      expectStatus(await putSecret(world, {}, secretsKey), 200);
      expect(await errorOf(world, "openai")).toEqual(REFUSED);
      expectStatus(await putSecret(world, { hosts: ["elsewhere.example"] }), 200);
      expect(await errorOf(world, "openai")).toEqual(LEAVES);
      expect((await world.call("deleteSecret", { params: { name: "KEY" }, key: secretsKey })).status).toBe(204);
      expectStatus(await putSecret(world, {}, secretsKey), 200);
      expect(await errorOf(world, "openai")).toEqual(REFUSED);
    });

    it("gets another base URL from a key with the scope admin alone", async () => {
      const world = await startClosed(await databaseUrlOf());
      expectStatus(await putSecret(world, { hosts: ["elsewhere.example", "*.api.openai.com"] }), 200);
      expectStatus(await putSecret(world, {}, world.key, "OTHER"), 200);
      const secretsKey = await makeKey(world, "secrets");
      const adminKey = await makeKey(world, "secrets", "admin");
      const forbidden = { status: 403, code: "FORBIDDEN", detail: expect.stringContaining("scope admin") };
      const put = (body: object, key: string) => putProvider(world, "openai", body, key);
      expect(problemOf(await put({ baseUrl: ELSEWHERE }, secretsKey))).toMatchObject(forbidden);
      // Said before whatever else is wrong.
      expect(problemOf(await put({ baseUrl: "https://unnamed.example" }, secretsKey))).toMatchObject(forbidden);
      expectStatus(await put({}, secretsKey), 200);
      expect(problemOf(await put({ baseUrl: ELSEWHERE }, secretsKey))).toMatchObject(forbidden);
      expectStatus(await put({ baseUrl: ELSEWHERE }, adminKey), 200);
      expectStatus(await put({ baseUrl: ELSEWHERE }, secretsKey), 200);
      for (const body of [{}, { baseUrl: "https://eu.api.openai.com" }, { baseUrl: `${ELSEWHERE}/more` }]) {
        expect(problemOf(await put(body, secretsKey))).toMatchObject(forbidden);
      }
      const params = { name: "openai" };
      expect(problemOf(await world.call("deleteProvider", { params, key: secretsKey }))).toMatchObject(forbidden);
      expect((await world.call("getProvider", { params })).body).toMatchObject({ baseUrl: ELSEWHERE });
      const other = { apiKey: "workspace-secret://OTHER", baseUrl: ELSEWHERE };
      expect(problemOf(await put(other, secretsKey))).toMatchObject({ errors: [{ code: "SECRET_NOT_BOUND" }] });
      expect((await world.call("deleteProvider", { params, key: adminKey })).status).toBe(204);
      expectStatus(await put({}, secretsKey), 200);
      expect((await world.call("deleteProvider", { params, key: secretsKey })).status).toBe(204);
    });
  });

  describe(`keys from before they were bound to hosts, ${store}`, () => {
    /** A store in which a provider of before sends its key elsewhere. */
    async function makeOldStore(): Promise<StoppedStore> {
      const dataDir = await mkdtemp(join(tmpdir(), "yagate-unbound-"));
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
      const { databaseUrl } = await databaseUrlOf();
      const world = await startWorld({ ...CLOSED, dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
      expectStatus(await putSecret(world, { hosts: ["elsewhere.example"] }), 200);
      expectStatus(await putSecret(world, {}, world.key, "OWN_KEY"), 200);
      expectStatus(await putProvider(world, "openai", { baseUrl: ELSEWHERE }), 200);
      expectStatus(await putProvider(world, "mine", { baseUrl: ELSEWHERE }), 200);
      const own = { apiKey: "workspace-secret://OWN_KEY", baseUrl: "https://eu.api.openai.com" };
      expectStatus(await putProvider(world, "anthropic", { apiKey: own.apiKey }), 200);
      await world.close();
      const old = { dataDir, databaseUrl };
      await unbindSecrets(old);
      return old;
    }

    const reopen = async ({ dataDir, databaseUrl }: StoppedStore, config: Partial<GatewayConfig> = {}) => {
      const world = await startWorld({
        ...CLOSED,
        dataDir,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
        ...config,
      });
      onTestFinished(() => world.close());
      return world;
    };

    it("work until their secret is written", async () => {
      const old = await makeOldStore();
      const world = await reopen(old);
      expect([await errorOf(world, "openai"), await errorOf(world, "mine")]).toEqual([LEAVES, LEAVES]);
      // A new value alone is a write too.
      expectStatus(await putSecret(world, {}), 200);
      expect([await errorOf(world, "openai"), await errorOf(world, "mine")]).toEqual([REFUSED, REFUSED]);
      await world.close();
      const again = await reopen(old);
      expect(await errorOf(again, "openai")).toEqual(REFUSED);
    });

    it("are not theirs any more once the secret was deleted and made again", async () => {
      const world = await reopen(await makeOldStore());
      expect((await world.call("deleteSecret", { params: { name: "KEY" } })).status).toBe(204);
      expectStatus(await putSecret(world, {}), 200);
      expect(await errorOf(world, "openai")).toEqual(REFUSED);
    });

    it("work until their provider is written, or deleted and made again", async () => {
      const world = await reopen(await makeOldStore());
      const unbound = { status: 422, errors: [{ code: "SECRET_NOT_BOUND" }] };
      expect(problemOf(await putProvider(world, "openai", { baseUrl: ELSEWHERE }))).toMatchObject(unbound);
      expect(await errorOf(world, "openai")).toEqual(LEAVES);
      expect((await world.call("deleteProvider", { params: { name: "mine" } })).status).toBe(204);
      expect(problemOf(await putProvider(world, "mine", { baseUrl: ELSEWHERE }))).toMatchObject(unbound);
      expectStatus(await putProvider(world, "openai", {}), 200);
      expect(problemOf(await putProvider(world, "openai", { baseUrl: ELSEWHERE }))).toMatchObject(unbound);
    });

    it("are refused at once where that is configured", async () => {
      const old = await makeOldStore();
      const strict = await reopen(old, { strictSecretHosts: true });
      expect([await errorOf(strict, "openai"), await errorOf(strict, "mine")]).toEqual([REFUSED, REFUSED]);
      await strict.close();
      const lenient = await reopen(old);
      expect(await errorOf(lenient, "openai")).toEqual(LEAVES);
    });

    it("are bound when an older replica writes one beside this one, or makes one", async () => {
      const old = await makeOldStore();
      const world = await reopen(old);
      await world.close();
      const at = Date.now() + 1;
      // As the release before this one writes: it knows no mark.
      await runStatements(old, [
        `UPDATE workspace_providers SET base_url = 'https://elsewhere.example/v2', updated_at = ${at} WHERE name = 'openai'`,
        `INSERT INTO workspace_providers (workspace_id, name, secret_name, base_url, created_at, updated_at)
         SELECT workspace_id, 'late', secret_name, '${ELSEWHERE}', ${at}, ${at} FROM workspace_providers WHERE name = 'mine'`,
      ]);
      const again = await reopen(old);
      expect([await errorOf(again, "openai"), await errorOf(again, "late")]).toEqual([REFUSED, REFUSED]);
      expect(await errorOf(again, "mine")).toEqual(LEAVES);
    });

    it.each([
      ["warned of", {}, 40, /this works only until/],
      ["reported as not sent", { YAGATE_STRICT_SECRET_HOSTS: "true" }, 50, /is not sent/],
    ])("are %s in the log of each start, by name", async (_how, variables, level, message) => {
      const { dataDir, databaseUrl } = await makeOldStore();
      const gateway = await forkGateway({
        YAGATE_DATA_DIR: dataDir,
        YAGATE_LOG_LEVEL: "warn",
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        ...variables,
      });
      const log = await gateway.stop();
      const lines: readonly unknown[] = log
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const advice = "yagate secret set KEY --host elsewhere.example";
      const named = {
        level,
        secretName: "KEY",
        host: "elsewhere.example",
        advice,
        msg: expect.stringMatching(message),
      };
      const workspaceId = expect.stringMatching(/^ws_/);
      expect(lines).toMatchObject([
        { ...named, provider: "mine", workspaceId },
        { ...named, provider: "openai", workspaceId },
      ]);
      expect(log).not.toContain("planted");
    });
  });
}

describeBinding("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeBinding("on PostgreSQL", async () => ({ databaseUrl: await server.createDatabase() }));

  it("a key is never sent to a host that its secret does not name, whichever replicas write both at the same time", async () => {
    const databaseUrl = await server.createDatabase();
    const first = await startClosed({ databaseUrl });
    const second = await startClosed({ databaseUrl, apiKey: first.key, masterKeys: undefined, dataDir: first.dataDir });
    expectStatus(await putSecret(first, { hosts: ["elsewhere.example"] }), 200);
    for (let round = 0; round < 10; round += 1) {
      const hosts = round % 2 === 0 ? [] : ["elsewhere.example"];
      const [provider, secret] = await Promise.all([
        putProvider(first, "openai", { baseUrl: ELSEWHERE }),
        putSecret(second, { hosts }),
      ]);
      expect([200, 422]).toContain(provider.status);
      expectStatus(secret, 200);
      // Whatever came of the race, both replicas hold the key to the hosts that the secret has now.
      const allowed = hosts.length > 0;
      for (const world of [first, second]) {
        const error = await errorOf(world, "openai");
        if (provider.status === 200 || round > 0) expect(error).toEqual(allowed ? LEAVES : REFUSED);
      }
    }
  });

  it("two keys without the scope admin change no base URL between them", async () => {
    const databaseUrl = await server.createDatabase();
    const first = await startClosed({ databaseUrl });
    const second = await startClosed({ databaseUrl, apiKey: first.key, dataDir: first.dataDir });
    expectStatus(await putSecret(first, { hosts: ["elsewhere.example"] }), 200);
    const secretsKey = await makeKey(first, "secrets");
    for (let round = 0; round < 10; round += 1) {
      expectStatus(await putProvider(first, "openai", { baseUrl: ELSEWHERE }), 200);
      const [removed, kept] = await Promise.all([
        putProvider(first, "openai", {}),
        putProvider(second, "openai", { baseUrl: ELSEWHERE }, secretsKey),
      ]);
      expectStatus(removed, 200);
      // Kept before it was removed, or refused after it: never set again.
      expect([200, 403]).toContain(kept.status);
      expect((await second.call("getProvider", { params: { name: "openai" } })).body).toMatchObject({ baseUrl: null });
    }
  });
});

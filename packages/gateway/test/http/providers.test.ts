import { type Provider, pageSchema, providerSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, makeAgent, problemOf } from "./support/agents.ts";
import { startModelServer } from "./support/model-server.ts";
import { startWorld, type Tenant } from "./support/world.ts";

const models = await startModelServer();
const refusing = await startModelServer();
refusing.refuseKeys();
const world = await startWorld({
  providers: {
    openai: { apiKey: "sk-of-the-operator", baseUrl: models.url },
    anthropic: { baseUrl: "https://anthropic.example" },
    house: { baseUrl: models.url },
    deaf: { baseUrl: refusing.url },
  },
});
afterAll(() => world.stop());

async function setSecret({ key }: Tenant, name: string, rest: object): Promise<void> {
  expectStatus(
    await world.call("putSecret", { params: { name }, body: { value: "sk-of-the-tenant", ...rest }, key }),
    200,
  );
}

const put = (key: string, name: string, body: object) => world.call("putProvider", { params: { name }, body, key });

async function setProvider({ key }: Tenant, name: string, body: object): Promise<Provider> {
  return providerSchema.parse(expectStatus(await put(key, name, body), 200));
}

/** Runs an agent of the tenant once. */
async function ask({ key }: Tenant, model: string) {
  const agent = await makeAgent(world, { model }, { key });
  return execute(world, agent.id, { input: "hello" }, { key });
}

const REFERENCE = { apiKey: "workspace-secret://OPENAI_KEY" };

describe("a provider of a workspace", () => {
  it("is set, read, listed and deleted, with the reference instead of the key", async () => {
    const tenant = await world.makeWorkspace("crud");
    const { key } = tenant;
    await setSecret(tenant, "OPENAI_KEY", {});
    const made = await setProvider(tenant, "openai", { ...REFERENCE, baseUrl: "https://eu.api.openai.com/v1" });
    expect(made).toEqual({
      name: "openai",
      ...REFERENCE,
      baseUrl: "https://eu.api.openai.com/v1",
      createdAt: made.updatedAt,
      updatedAt: expect.stringMatching(/Z$/),
    });
    const params = { name: "openai" };
    expect((await world.call("getProvider", { params, key })).body).toEqual(made);
    const replaced = await setProvider(tenant, "openai", REFERENCE);
    expect(replaced).toEqual({ ...made, baseUrl: null, updatedAt: replaced.updatedAt });
    await setProvider(tenant, "anthropic", REFERENCE);
    const { data } = pageSchema(providerSchema).parse((await world.call("listProviders", { key })).body);
    expect(data.map(({ name }) => name)).toEqual(["anthropic", "openai"]);
    expect((await world.call("deleteProvider", { params, key })).status).toBe(204);
    for (const name of ["getProvider", "deleteProvider"]) {
      expect(problemOf(await world.call(name, { params, key }))).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }
  });

  it.each<[string, string, object, readonly unknown[]]>([
    ["no reference", "openai", {}, ["apiKey: expected string, but it is missing"]],
    [
      "a key itself",
      "openai",
      { apiKey: "sk-planted-1" },
      [expect.stringMatching(/^apiKey: expected workspace-secret:/)],
    ],
    [
      "the reference of tools",
      "openai",
      { apiKey: "$" + "{secrets.OPENAI_KEY}" },
      [expect.stringMatching(/^apiKey: /)],
    ],
    ["a reference without a name", "openai", { apiKey: "workspace-secret://" }, [expect.stringMatching(/^apiKey: /)]],
    ["a reference to a path", "openai", { apiKey: "workspace-secret://KEY/x" }, [expect.stringMatching(/^apiKey: /)]],
    ["a field that it does not have", "openai", { ...REFERENCE, model: "x" }, ["model: unknown field"]],
    [
      "a server without a base URL",
      "mine",
      REFERENCE,
      ["baseUrl: expected a URL, because mine is not a provider that the gateway knows"],
    ],
    [
      "a base URL with a query",
      "mine",
      { ...REFERENCE, baseUrl: "https://m.example/v1?a=1" },
      ["baseUrl: expected an http or https URL without credentials, query or fragment"],
    ],
    [
      "a base URL that is none",
      "mine",
      { ...REFERENCE, baseUrl: "m.example" },
      [expect.stringMatching(/^baseUrl: expected an http/)],
    ],
    ["http", "mine", { ...REFERENCE, baseUrl: "http://m.example/v1" }, ["baseUrl: the url must be https"]],
    [
      "another port",
      "mine",
      { ...REFERENCE, baseUrl: "https://m.example:8443/v1" },
      ["baseUrl: the port must be one of 443"],
    ],
    [
      "the metadata of a cloud",
      "mine",
      { ...REFERENCE, baseUrl: "http://169.254.169.254" },
      ["baseUrl: the url must be https"],
    ],
    [
      "the same by https",
      "mine",
      { ...REFERENCE, baseUrl: "https://169.254.169.254/v1" },
      ["baseUrl: expected a public address"],
    ],
    [
      "a network that is open to handlers",
      "mine",
      { ...REFERENCE, baseUrl: "https://127.0.0.1/v1" },
      ["baseUrl: expected a public address"],
    ],
    [
      "this machine",
      "openai",
      { ...REFERENCE, baseUrl: "https://localhost/v1" },
      ["baseUrl: the host must not be localhost"],
    ],
    ["the name of the scripted models", "scripted", REFERENCE, [expect.stringMatching(/^name: expected another/)]],
    ["another name of a known one", "qwen", REFERENCE, ["name: expected alibaba; qwen is an alias of it"]],
    ["a name in upper case", "OpenAI", REFERENCE, [expect.stringMatching(/^name: expected 1 to 64 lower-case/)]],
  ])("refuses %s", async (_what, name, body, fields) => {
    const answer = await put(world.key, name, body);
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual(fields);
    expect(JSON.stringify(answer.body)).not.toContain("planted");
  });

  it("serves the next turn, and the gateway's own serves it again once it is deleted", async () => {
    const tenant = await world.makeWorkspace("own-key");
    const before = models.keys.length;
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "completed", output: { text: "ok" } });
    await setSecret(tenant, "OPENAI_KEY", {});
    await setProvider(tenant, "openai", REFERENCE);
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "completed" });
    await setSecret(tenant, "OPENAI_KEY", { value: "sk-after-rotation" });
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "completed" });
    await world.call("deleteProvider", { params: { name: "openai" }, key: tenant.key });
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "completed" });
    expect(models.keys.slice(before)).toEqual([
      "Bearer sk-of-the-operator",
      "Bearer sk-of-the-tenant",
      "Bearer sk-after-rotation",
      "Bearer sk-of-the-operator",
    ]);
  });

  it("without its secret says which one, and never falls back to the gateway's own key", async () => {
    const tenant = await world.makeWorkspace("missing");
    const before = models.keys.length;
    await setProvider(tenant, "openai", REFERENCE);
    const error = {
      code: "NOT_CONFIGURED",
      message:
        "openai needs the workspace secret OPENAI_KEY, which does not exist; set it with PUT /v1/secrets/OPENAI_KEY",
    };
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "failed", error });
    await setSecret(tenant, "OPENAI_KEY", {});
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "completed" });
    await world.call("deleteSecret", { params: { name: "OPENAI_KEY" }, key: tenant.key });
    expect(await ask(tenant, "openai/m")).toMatchObject({ status: "failed", error });
    expect(models.keys.slice(before)).toEqual(["Bearer sk-of-the-tenant"]);
  });

  it("can't use the secret of another workspace", async () => {
    const [owner, thief] = [await world.makeWorkspace("owner"), await world.makeWorkspace("thief")];
    await setSecret(owner, "OPENAI_KEY", {});
    await setProvider(thief, "openai", REFERENCE);
    expect(await ask(thief, "openai/m")).toMatchObject({ status: "failed", error: { code: "NOT_CONFIGURED" } });
  });

  it("sends a secret only to its hosts", async () => {
    const tenant = await world.makeWorkspace("hosts");
    const before = models.keys.length;
    await setSecret(tenant, "OPENAI_KEY", { hosts: ["api.openai.com"] });
    await setProvider(tenant, "openai", REFERENCE);
    expect(await ask(tenant, "openai/m")).toMatchObject({
      status: "failed",
      error: { code: "NOT_CONFIGURED", message: expect.stringMatching(/OPENAI_KEY may not be sent to 127\.0\.0\.1/) },
    });
    expect(models.keys.length).toBe(before);
  });

  it("says of a refused key which secret to check, and nothing of the key", async () => {
    const tenant = await world.makeWorkspace("refused");
    await setSecret(tenant, "DEAF_KEY", { value: "sk-planted-0123456789" });
    await setProvider(tenant, "deaf", { apiKey: "workspace-secret://DEAF_KEY" });
    const { id, error } = await ask(tenant, "deaf/m");
    expect(error).toEqual({
      code: "MODEL_ERROR",
      message: "deaf rejected the API key (HTTP 401); check the workspace secret DEAF_KEY",
    });
    const events = await (await world.open("followExecution", { params: { id }, key: tenant.key })).text();
    expect(events).toContain("model.failed");
    expect(events).not.toContain("planted");
  });

  it.each([
    ["the metadata of a cloud", "169.254.169.254"],
    ["a network that is open to handlers and to the gateway's own providers", "127.0.0.1"],
  ])("does not reach %s by a name either", async (_what, address) => {
    const closed = await startWorld({
      providers: { openai: { apiKey: "sk-of-the-operator", baseUrl: models.url } },
      lookup: (_host, _options, done) => done(null, [{ address, family: 4 }]),
    });
    const tenant = await closed.makeWorkspace("tenant");
    const { key } = tenant;
    await closed.call("putSecret", {
      params: { name: "KEY" },
      body: { value: "sk-of-the-tenant", hosts: ["metadata.example"] },
      key,
    });
    const body = { apiKey: "workspace-secret://KEY", baseUrl: "https://metadata.example/v1" };
    expectStatus(await closed.call("putProvider", { params: { name: "mine" }, body, key }), 200);
    const agent = await makeAgent(closed, { model: "mine/m" }, { key });
    const execution = await execute(closed, agent.id, { input: "hello" }, { key });
    await closed.stop();
    expect(execution).toMatchObject({
      status: "failed",
      error: { code: "MODEL_ERROR", message: expect.stringMatching(/^mine could not be reached \(DNS_BLOCKED\)/) },
    });
    expect(execution.error?.message).not.toContain(address);
  });

  it("is known when an agent is saved", async () => {
    const tenant = await world.makeWorkspace("saving");
    const { key } = tenant;
    const body = { name: "a", model: "mine/some/model:8b" };
    expect(fieldsOf(await world.call("createAgent", { body, key }))).toEqual([
      "model: provider mine is not configured; set YAGATE_PROVIDERS, or configure it for the workspace with PUT /v1/providers/mine",
    ]);
    const unconfigured = async (model: string) =>
      (await makeAgent(world, { model }, { key })).warnings?.filter(({ code }) => code === "NOT_CONFIGURED");
    expect(await unconfigured("claude-sonnet-4-20250514")).toMatchObject([{ path: "model" }]);
    await setProvider(tenant, "mine", { ...REFERENCE, baseUrl: "https://models.example" });
    await setProvider(tenant, "anthropic", REFERENCE);
    for (const model of [body.model, "claude-sonnet-4-20250514"]) expect(await unconfigured(model)).toEqual([]);
    const other = await world.makeWorkspace("other");
    expect((await world.call("createAgent", { body, key: other.key })).status).toBe(422);
  });
});

describe("the gateway's own providers", () => {
  it("are reached at the private address that stands in their base URL, which is open to nobody else", async () => {
    const narrow = await startWorld({ allowCidrs: [], providers: { ollama: { baseUrl: models.url } } });
    const agent = await makeAgent(narrow, { model: "ollama/qwen3:8b" });
    const execution = await execute(narrow, agent.id, { input: "hello" });
    const handler = { name: "t", description: "T.", parameters: { type: "object" }, handler: models.url };
    const refused = await narrow.call("createAgent", { body: { name: "a", model: "ollama/m", tools: [handler] } });
    await narrow.stop();
    expect(execution).toMatchObject({ status: "completed", output: { text: "ok" } });
    expect(models.keys.at(-1)).toBeUndefined();
    expect(fieldsOf(refused)).toEqual(["tools[0].handler: the url must be https"]);
  });

  it("serve a workspace's key where the gateway has none", async () => {
    const tenant = await world.makeWorkspace("house");
    await setSecret(tenant, "HOUSE_KEY", {});
    await setProvider(tenant, "house", { apiKey: "workspace-secret://HOUSE_KEY" });
    expect(await ask(tenant, "house/m")).toMatchObject({ status: "completed" });
    expect(models.keys.at(-1)).toBe("Bearer sk-of-the-tenant");
  });
});

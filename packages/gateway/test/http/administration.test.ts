import {
  type ApiKey,
  apiKeySchema,
  createdApiKeySchema,
  createdWorkspaceSchema,
  endpointSchema,
  pageSchema,
  parseSigningSecret,
  rotatedSigningSecretSchema,
  type SigningSecret,
  scopeSchema,
  signingSecretSchema,
  workspaceSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

describe("signing secrets", () => {
  const rotate = async (body: object | undefined, key: string) =>
    rotatedSigningSecretSchema.parse(expectStatus(await world.call("rotateSigningSecret", { body, key }), 201));
  const list = async (key: string, query: Record<string, string> = {}) =>
    pageSchema(signingSecretSchema).parse((await world.call("listSigningSecrets", { key, query })).body);

  it("shows a new one once, and afterwards only its name and times", async () => {
    const { key } = await world.makeWorkspace("once");
    const made = await rotate({ name: "billing" }, key);
    expect(() => parseSigningSecret(made.secret)).not.toThrow();
    expect(made.previousExpiresAt).toBeNull();
    const { data } = await list(key);
    expect(data.map(({ name }) => name).sort()).toEqual(["billing", "default"]);
    expect(data.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      name: "billing",
      createdAt: made.createdAt,
      expiresAt: null,
    });
    expect(JSON.stringify(data)).not.toContain(made.secret);
  });

  it("rotates the default one, with a day of overlap, when nothing is said", async () => {
    const { key } = await world.makeWorkspace("overlap");
    const { name, createdAt, previousExpiresAt } = await rotate(undefined, key);
    expect(name).toBe("default");
    expect(Date.parse(previousExpiresAt ?? "") - Date.parse(createdAt)).toBe(86_400_000);
    const { data } = await list(key);
    expect(data.map(({ expiresAt }) => expiresAt)).toEqual([null, previousExpiresAt]);
  });

  it("leaves nothing of the earlier ones without overlap", async () => {
    const { key } = await world.makeWorkspace("leaked");
    for (const overlapSeconds of [60, 60]) await rotate({ overlapSeconds }, key);
    const { id } = await rotate({ overlapSeconds: 0 }, key);
    expect((await list(key)).data.map((secret: SigningSecret) => secret.id)).toEqual([id]);
  });

  it("refuses a ninth live one of a name", async () => {
    const { key } = await world.makeWorkspace("ninth");
    for (let count = 0; count < 7; count += 1) await rotate({}, key);
    const answer = await world.call("rotateSigningSecret", { body: {}, key });
    expect(problemOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
    expect((await rotate({ name: "another" }, key)).name).toBe("another");
  });

  it("lists them newest first, in pages", async () => {
    const { key } = await world.makeWorkspace("pages");
    const ids = [(await list(key)).data[0]?.id];
    for (const name of ["a", "b", "c"]) ids.unshift((await rotate({ name }, key)).id);
    const first = await list(key, { limit: "3" });
    const second = await list(key, { limit: "3", cursor: first.nextCursor ?? "" });
    expect([first, second].map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect(second.nextCursor).toBeNull();
  });
});

describe("API keys", () => {
  const create = async (body: object, call: Call = {}) =>
    createdApiKeySchema.parse(expectStatus(await world.call("createApiKey", { ...call, body }), 201));

  it("shows a new one once, and it has exactly its scopes", async () => {
    const { key, ...rest } = await create({ name: " shop ", scopes: ["executions", "executions"] });
    expect(key).toMatch(/^yk_[\w-]{43}$/);
    expect(rest).toMatchObject({ name: "shop", scopes: ["executions"] });
    const { body } = await world.call("listApiKeys");
    expect(
      pageSchema(apiKeySchema)
        .parse(body)
        .data.find(({ id }) => id === rest.id),
    ).toEqual(rest);
    expect(JSON.stringify(body)).not.toContain(key);
    expect((await world.call("listExecutions", { key })).status).toBe(200);
    expect((await world.call("createAgent", { key, body: {} })).status).toBe(403);
  });

  it("belongs to the workspace of whoever made it, unless an operator names another", async () => {
    const { workspaceId, key } = await world.makeWorkspace("owner");
    expect(await create({ name: "own", scopes: ["agents"] }, { key })).toMatchObject({ workspaceId });
    const named = await create({ name: "named", scopes: ["agents"], workspaceId });
    expect(named.workspaceId).toBe(workspaceId);
    const { body } = await world.call("listApiKeys", { query: { workspaceId } });
    const names = pageSchema(apiKeySchema)
      .parse(body)
      .data.map(({ name }: ApiKey) => name);
    expect(names).toEqual(["named", "own", "test"]);
  });

  it("of another workspace is out of reach of an admin key that is not the operator's", async () => {
    const [{ key }, { workspaceId }] = [await world.makeWorkspace("own"), await world.makeWorkspace("other")];
    const listed = await world.call("listApiKeys", { key, query: { workspaceId } });
    const body = { name: "a", scopes: ["agents"], workspaceId };
    const created = await world.call("createApiKey", { key, body });
    const refusal = { status: 404, code: "NOT_FOUND" };
    expect([listed, created].map(problemOf)).toEqual([
      expect.objectContaining(refusal),
      expect.objectContaining(refusal),
    ]);
  });

  it("can't be made for a workspace that does not exist", async () => {
    const body = { name: "a", scopes: ["agents"], workspaceId: "ws_01m7yj864ke00brb1mkxjenfhm" };
    expect(problemOf(await world.call("createApiKey", { body }))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("is deleted once, by an operator in whichever workspace it is", async () => {
    const { workspaceId } = await world.makeWorkspace("deleting");
    const { id } = await world.makeKey(["agents"], workspaceId);
    const remove = (query: Record<string, string>) => world.call("deleteApiKey", { params: { id }, query });
    expect((await remove({})).status).toBe(404);
    expect((await remove({ workspaceId })).status).toBe(204);
    expect((await remove({ workspaceId })).status).toBe(404);
  });

  it("lists them newest first, in pages", async () => {
    const { workspaceId, key } = await world.makeWorkspace("keys");
    for (const name of ["a", "b"]) await create({ name, scopes: ["agents"], workspaceId });
    const page = async (query: Record<string, string>) =>
      pageSchema(apiKeySchema).parse((await world.call("listApiKeys", { key, query })).body);
    const first = await page({ limit: "2" });
    const second = await page({ limit: "2", cursor: first.nextCursor ?? "" });
    expect([first, second].map(({ data }) => data.map(({ name }) => name))).toEqual([["b", "a"], ["test"]]);
  });
});

describe("workspaces", () => {
  it("are made with a signing secret that is shown once", async () => {
    const answer = await world.call("createWorkspace", { body: { name: "acme" } });
    const { signingSecret, ...workspace } = createdWorkspaceSchema.parse(expectStatus(answer, 201));
    expect(() => parseSigningSecret(signingSecret)).not.toThrow();
    const { body } = await world.call("listWorkspaces");
    expect(pageSchema(workspaceSchema).parse(body).data[0]).toEqual(workspace);
    expect(JSON.stringify(body)).not.toContain(signingSecret);
  });

  it.each(["default", "taken"])("refuses the name %s, which another has", async (name) => {
    await world.call("createWorkspace", { body: { name: "taken" } });
    const answer = await world.call("createWorkspace", { body: { name } });
    expect(problemOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("are made by operators only, with keys of the default workspace too", async () => {
    const operator = await world.makeKey(["admin"]);
    const made = await world.call("createWorkspace", { body: { name: "by-a-key" }, key: operator.text });
    expect(made.status).toBe(201);
    const { key } = await world.makeWorkspace("tenant");
    expect((await world.call("createWorkspace", { body: { name: "by-a-tenant" }, key })).status).toBe(403);
  });
});

describe("endpoints", () => {
  it("are listed once their handler is gone, and get calls again when they are enabled", async () => {
    const { key } = await world.makeWorkspace("gone");
    const handler = await startHandler({ status: 410, body: undefined });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] }, { key });
    const list = async () => pageSchema(endpointSchema).parse((await world.call("listEndpoints", { key })).body).data;
    expect(await list()).toEqual([]);
    await execute(world, agent.id, calling("work"), { key });
    const [endpoint] = await list();
    expect(endpoint).toMatchObject({ url: handler.url, status: "disabled", disabledAt: expect.stringMatching(/Z$/) });
    const idle = { inFlight: 0, queued: 0, circuit: { state: "closed", attempts: 1, failures: 0, retryAt: null } };
    expect(endpoint).toMatchObject(idle);
    await execute(world, agent.id, calling("work"), { key });
    expect(handler.calls).toHaveLength(1);

    const params = { id: endpoint?.id ?? "" };
    const enabled = { id: params.id, url: handler.url, status: "enabled", disabledAt: null, reason: null };
    expect(await world.call("enableEndpoint", { params, key })).toMatchObject({ status: 200, body: enabled });
    expect((await world.call("enableEndpoint", { params, key })).status).toBe(200);
    await execute(world, agent.id, calling("work"), { key });
    expect(handler.calls).toHaveLength(2);
  });
});

it("every scope can be given to a key", async () => {
  const { body } = await world.call("createApiKey", { body: { name: "all", scopes: scopeSchema.options } });
  expect(createdApiKeySchema.parse(body).scopes).toEqual(scopeSchema.options);
});

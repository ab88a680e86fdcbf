import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { Yagate } from "@yagate/client";
import { createGateway } from "@yagate/gateway";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { acceptedBy } from "./support/verifiers.ts";
import { openWorld, type World } from "./support/world.ts";

/** Within this time a replica believes nothing that another one has changed. */
const SHARED_WITHIN_MS = 2_000;
const TURNS = [calls("lookup_order"), { text: "done" }];

const masterKeys = () => `k1:${randomBytes(32).toString("base64")}`;

describe.skipIf(!hasPostgres())("replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let shared: { readonly databaseUrl: string; readonly masterKeys: string; readonly databaseConnections: number };
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    shared = { databaseUrl, masterKeys: masterKeys(), databaseConnections: 8 };
  });

  const openTwo = async (): Promise<readonly [World, World]> => {
    const first = await openWorld(shared);
    // The first one's signing secret, or each start of the other would rotate it.
    return [first, await openWorld({ ...shared, signingSecret: first.secret })];
  };

  it("let a deleted API key in nowhere", async () => {
    const [here, there] = await openTwo();
    const { id, key } = await here.client.apiKeys.create({ name: "app", scopes: ["executions"] });
    const { executions } = new Yagate({ baseUrl: there.url, apiKey: key });
    expect((await executions.list().page()).data).toEqual([]);
    await here.client.apiKeys.delete(id);
    await pass(SHARED_WITHIN_MS);
    await expect(executions.list().page()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("end the streams of a deleted API key", async () => {
    const [here, there] = await openTwo();
    const service = await startRawService(() => {});
    const { id, key } = await here.client.apiKeys.create({ name: "app", scopes: ["executions"] });
    const agent = await here.createAgent([toolAt(service.url, { timeout: 60_000 })]);
    const execution = await here.client.agents.start(agent.id, { input: "go", script: { turns: TURNS } });
    const stream = await fetch(`${there.url}/v1/executions/${execution.id}/events`, {
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
    });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    const isOpen = Symbol("open");
    await here.client.apiKeys.delete(id);
    expect(await Promise.race([ended, pass(SHARED_WITHIN_MS + 1_000, isOpen)])).not.toBe(isOpen);
    await here.client.executions.cancel(execution.id);
  });

  it("sign with a new secret alone, after a rotation without overlap on another", async () => {
    const [here, there] = await openTwo();
    const service = await startRawService((response) => void response.json({ result: 1 }));
    await there.play([toolAt(service.url)], TURNS);
    const { secret } = await here.client.signingSecrets.rotate({ overlapSeconds: 0 });
    await pass(SHARED_WITHIN_MS);
    await there.play([toolAt(service.url)], TURNS);
    const [before, after] = service.calls;
    if (before === undefined || after === undefined) throw new Error("expected two calls");
    expect((await acceptedBy(before, here.secret)).length).toBeGreaterThan(0);
    expect((await acceptedBy(after, secret)).length).toBeGreaterThan(0);
    expect(await acceptedBy(after, here.secret)).toEqual([]);
  });

  it("send nothing to a URL that said on another that it is gone, until it is enabled on any", async () => {
    const [here, there] = await openTwo();
    let isGone = true;
    const service = await startRawService((response) => {
      if (isGone) response.status(410).end();
      else response.json({ result: 1 });
    });
    const codeOn = async (world: World) => (await world.play([toolAt(service.url)], TURNS)).toolCalls[0]?.error?.code;
    expect(await codeOn(here)).toBe("HANDLER_GONE");
    await pass(SHARED_WITHIN_MS);
    expect(await codeOn(there)).toBe("ENDPOINT_DISABLED");
    expect(service.calls).toHaveLength(1);
    isGone = false;
    const [endpoint] = (await there.client.endpoints.list().page()).data;
    await there.client.endpoints.enable(endpoint?.id ?? "");
    await pass(SHARED_WITHIN_MS);
    expect(await codeOn(here)).toBeUndefined();
  });

  it("need the same master keys, and the same data directory they do not", async () => {
    const dataDir = join(tmpdir(), `yagate-${randomBytes(6).toString("hex")}`);
    await openWorld({ ...shared, dataDir });
    expect(existsSync(dataDir)).toBe(false);
    const other = createGateway({ ...shared, port: 0, masterKeys: masterKeys(), logLevel: "silent" });
    await expect(other.start()).rejects.toMatchObject({
      code: "NOT_CONFIGURED",
      message: expect.stringContaining("this data was encrypted with other master keys"),
    });
  });
});

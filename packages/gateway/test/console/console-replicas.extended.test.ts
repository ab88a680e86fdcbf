import { randomBytes } from "node:crypto";
import { setTimeout as pass } from "node:timers/promises";
import { createdApiKeySchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { startWorld } from "../http/support/world.ts";
import { createPage } from "./browser.ts";

/** Within this time a replica no longer trusts a key that another one deleted; the promise is 5 s. */
const SHARED_WITHIN_MS = 2_000;
const KEY = "yk_of_two_replicas_0123456789";

describe.skipIf(!hasPostgres())("two replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function openTwo() {
    const shared = {
      databaseUrl: await server.createDatabase(),
      masterKeys: `k1:${randomBytes(32).toString("base64")}`,
      ...({ databaseConnections: 8, console: "on", apiKey: KEY, publicUrl: "https://agents.example" } as const),
    };
    const here = await startWorld(shared);
    onTestFinished(() => here.stop());
    const there = await startWorld(shared);
    onTestFinished(() => there.stop());
    return {
      here,
      pageHere: createPage(here.url, shared.publicUrl),
      pageThere: createPage(there.url, shared.publicUrl),
    };
  }

  it("know each other's sessions, and their ends", async () => {
    const { pageHere, pageThere } = await openTwo();
    const { cookie } = await pageHere.signIn({ apiKey: KEY });
    expect((await pageThere.get("/v1/agents", cookie)).status).toBe(200);
    expect((await pageThere.send({ method: "DELETE", path: "/console/session" }, cookie)).status).toBe(204);
    expect((await pageHere.get("/v1/agents", cookie)).status).toBe(401);
  });

  it("end the sessions of a key that the other one deleted", async () => {
    const { here, pageHere, pageThere } = await openTwo();
    const created = await here.call("createApiKey", { body: { name: "person", scopes: ["agents"] } });
    const { id, key } = createdApiKeySchema.parse(created.body);
    const { cookie } = await pageThere.signIn({ apiKey: key });
    expect((await pageThere.get("/v1/agents", cookie)).status).toBe(200);
    expect((await pageHere.get("/v1/agents", cookie)).status).toBe(200);
    await here.call("deleteApiKey", { params: { id } });
    expect((await pageHere.get("/v1/agents", cookie)).status).toBe(401);
    await pass(SHARED_WITHIN_MS);
    expect((await pageThere.get("/v1/agents", cookie)).status).toBe(401);
  });
});

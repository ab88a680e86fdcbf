import { type ApiKey, apiKeySchema, auditEntrySchema, createdApiKeySchema, pageSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { calling, expectStatus, fieldsOf, makeAgent, start } from "./agents.ts";
import { EventReader } from "./event-reader.ts";
import { startHandler, workTool } from "./handler.ts";
import { startWorld, type World } from "./world.ts";

/** Long enough for a busy machine to use a key before it expires. */
const LIFE_MS = 2_500;
const WAIT = { timeout: 20_000, interval: 20 };

/** @param count - gateways on one store: several need a database. */
export function describeKeys(place: string, count: number, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`API keys ${place}`, () => {
    const worlds: World[] = [];
    const world = () => worlds[0] ?? expect.fail();
    /** Where a key is used: another gateway than the one that changes it, if there is one. */
    const other = () => worlds.at(-1) ?? expect.fail();
    beforeAll(async () => {
      const config = { apiKey: `yk_of_api_keys_test_${"0123456789abcdef".repeat(2)}`, ...(await configure()) };
      const masterKeys = `k1:${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
      for (let index = 0; index < count; index += 1) worlds.push(await startWorld({ masterKeys, ...config }));
    });
    afterAll(async () => {
      for (const one of worlds) await one.stop();
    });

    const create = async (body: object = {}) =>
      createdApiKeySchema.parse(
        expectStatus(
          await world().call("createApiKey", { body: { name: "ci", scopes: ["agents", "executions"], ...body } }),
          201,
        ),
      );
    const statusOf = async (key: string) => (await other().call("listAgents", { key })).status;
    const rotate = async (id: string, body?: object) =>
      createdApiKeySchema.parse(
        expectStatus(await world().call("rotateApiKey", { params: { id }, ...(body ? { body } : {}) }), 200),
      );
    const read = async (id: string): Promise<ApiKey> => {
      const { data } = pageSchema(apiKeySchema).parse((await world().call("listApiKeys")).body);
      return data.find((key) => key.id === id) ?? expect.fail();
    };

    /** The events of an execution that waits for its tool for as long as the test takes. */
    async function follow(key: string) {
      const handler = await startHandler({ isHeld: true });
      const agent = await makeAgent(world(), { tools: [workTool(handler.url, { timeout: 60_000 })] });
      const { id } = await start(world(), agent.id, calling("work"));
      const reader = new EventReader(await other().open("followExecution", { params: { id }, key }));
      await reader.until("attempt.started");
      return {
        async ended() {
          await reader.all();
          handler.release();
        },
      };
    }

    it("are refused from their expiry on, and their streams end with them", async () => {
      const expiresAt = new Date(Date.now() + LIFE_MS).toISOString();
      const { key, id } = await create({ expiresAt });
      expect(await read(id)).toMatchObject({ expiresAt });
      expect(await statusOf(key)).toBe(200);
      const stream = await follow(key);
      await stream.ended();
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt) - 50);
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt)), WAIT);
      expect(await statusOf(key)).toBe(401);
    });

    it("have two texts during the overlap of a rotation, and one afterwards", async () => {
      const first = await create();
      const second = await rotate(first.id, { overlapSeconds: 3 });
      expect(second).toMatchObject({ id: first.id, name: "ci", scopes: first.scopes, createdAt: first.createdAt });
      expect(second.key).not.toBe(first.key);
      expect(Date.parse(second.previousExpiresAt ?? "") - Date.parse(second.rotatedAt ?? "")).toBe(3_000);
      await vi.waitFor(async () => expect(await statusOf(second.key)).toBe(200), WAIT);
      expect(await statusOf(first.key)).toBe(200);
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(second.previousExpiresAt ?? "")), WAIT);
      expect(await statusOf(first.key)).toBe(401);
      expect(await statusOf(second.key)).toBe(200);
      expect((await read(first.id)).previousExpiresAt).toBeNull();
    });

    it("lose their old text and its streams at once without an overlap", async () => {
      const first = await create();
      expect(await statusOf(first.key)).toBe(200);
      const stream = await follow(first.key);
      const second = await rotate(first.id, { overlapSeconds: 0 });
      await stream.ended();
      await vi.waitFor(async () => expect(await statusOf(first.key)).toBe(401), WAIT);
      expect(await statusOf(second.key)).toBe(200);
    });

    it("overlap for a day when nothing is said", async () => {
      const { id } = await create();
      const { rotatedAt, previousExpiresAt } = await rotate(id);
      expect(Date.parse(previousExpiresAt ?? "") - Date.parse(rotatedAt ?? "")).toBe(86_400_000);
    });

    it("lose their streams when they are deleted, or their expiry is brought forward", async () => {
      const [deleted, ended] = [await create(), await create()];
      const streams = [await follow(deleted.key), await follow(ended.key)];
      expect((await world().call("deleteApiKey", { params: { id: deleted.id } })).status).toBe(204);
      const body = { expiresAt: new Date(Date.now() - 1_000).toISOString() };
      expect((await world().call("updateApiKey", { params: { id: ended.id }, body })).status).toBe(200);
      for (const stream of streams) await stream.ended();
      for (const { key } of [deleted, ended]) {
        await vi.waitFor(async () => expect(await statusOf(key)).toBe(401), WAIT);
      }
    });

    it("say when they were last used, to the minute, and not before", async () => {
      const { id, key } = await create();
      expect((await read(id)).lastUsedAt).toBeNull();
      const before = Date.now();
      expect(await statusOf(key)).toBe(200);
      await vi.waitFor(async () => expect((await read(id)).lastUsedAt).not.toBeNull(), WAIT);
      const first = (await read(id)).lastUsedAt;
      expect(Math.abs(Date.parse(first ?? "") - before)).toBeLessThan(60_000);
      expect(await statusOf(key)).toBe(200);
      expect((await read(id)).lastUsedAt).toBe(first);
    });

    it("are changed on record: name, expiry and routing bounds", async () => {
      const { id } = await create({ routing: { scopes: ["refunds"], dataClass: "internal" } });
      const change = {
        name: "deploy",
        expiresAt: "2030-01-01T00:00:00.000Z",
        routing: { region: "eu", recordings: true, intents: ["web.search"] },
      };
      const updated = await world().call("updateApiKey", { params: { id }, body: change });
      expect(apiKeySchema.parse(expectStatus(updated, 200))).toMatchObject(change);
      expect(await read(id)).toMatchObject(change);
      const cleared = await world().call("updateApiKey", { params: { id }, body: { expiresAt: null, routing: null } });
      expect(cleared.body).toMatchObject({ name: "deploy", expiresAt: null, routing: null });
      await rotate(id);
      const { body } = await world().call("listAuditEntries", { query: { resourceId: id } });
      const { data } = pageSchema(auditEntrySchema).parse(body);
      expect(data.map(({ action }) => action)).toEqual([
        ...["api_key.rotated", "api_key.updated", "api_key.updated", "api_key.created"],
      ]);
      expect(data[2]).toMatchObject({
        before: { routing: { scopes: ["refunds"], dataClass: "internal" } },
        after: change,
      });
      expect(JSON.stringify(data)).not.toMatch(/yk_|[0-9a-f]{64}/);
    });

    it.each<[string, object, readonly string[]]>([
      ["an expiry that is over", { expiresAt: "2020-01-01T00:00:00.000Z" }, ["expiresAt"]],
      ["an expiry that is no moment", { expiresAt: "soon" }, ["expiresAt"]],
      ["an intent that is no name", { routing: { intents: ["Search"] } }, ["routing.intents[0]"]],
      ["an intent that does not exist", { routing: { intents: ["web.serch"] } }, ["routing.intents[0]"]],
      ["an unknown bound", { routing: { tpyo: 1 } }, ["routing.tpyo"]],
      [
        "an unknown class",
        { routing: { dataClass: "top", maxCostClass: "free" } },
        ["routing.dataClass", "routing.maxCostClass"],
      ],
    ])("refuse %s", async (_what, body, paths) => {
      const answer = await world().call("createApiKey", { body: { name: "ci", scopes: ["agents"], ...body } });
      expect(answer.status).toBe(422);
      expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(paths);
    });

    it.each([-1, 604_801, 1.5])("refuse an overlap of %s s", async (overlapSeconds) => {
      const { id } = await create();
      expect((await world().call("rotateApiKey", { params: { id }, body: { overlapSeconds } })).status).toBe(422);
    });
  });
}

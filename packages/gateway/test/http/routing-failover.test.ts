import { pageSchema, receiptSchema, redeliverySchema, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus, makeAgent } from "./support/agents.ts";
import { type Handler, startHandler } from "./support/handler.ts";
import { asking, eventsOf, INTENT, makeShop, of, type ShopCapability, TOOL } from "./support/shop.ts";
import { startWorld, type World } from "./support/world.ts";

/** Accepts no connection. */
const UNREACHABLE = "http://127.0.0.1:9/tools";
const FOUND = { found: "ORD-7" };

function describeFailover(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`failover ${place}`, () => {
    let world: World;
    let works: Handler;
    let fails: Handler;
    let silent: Handler;

    beforeAll(async () => {
      world = await startWorld({ ...(await configure()), allowSelfApproval: true });
      works = await startHandler({ body: { result: FOUND } });
      fails = await startHandler({ status: 503, body: undefined });
      silent = await startHandler({ isHeld: true });
    }, 60_000);
    afterAll(() => world?.stop());

    async function run(capabilities: readonly ShopCapability[], { turns = 1, policy = {} } = {}) {
      const { key } = await makeShop(world, capabilities);
      const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }], policy }, { key });
      const events = await eventsOf(world, { agentId: agent.id, body: asking(turns), key });
      return { events, key, agent };
    }

    it("survives the outage of two of three capabilities within one call, and says so", async () => {
      const arrived = works.calls.length;
      const { events, key } = await run(
        [
          { url: UNREACHABLE, priority: 90 },
          { url: fails.url, priority: 60, tool: { retries: 1 } },
          { url: works.url, priority: 10 },
        ],
        { turns: 2 },
      );
      expect(of(events, "tool_call.failed")).toEqual([]);
      expect(of(events, "tool_call.completed").map(({ result }) => result)).toEqual([FOUND, FOUND]);
      expect(
        of(events, "route.changed").map(({ from, to, error, kind, sideEffect }) => [
          ...[from.key, to.key, error.code, kind, sideEffect],
        ]),
      ).toEqual([
        ["shop.a", "shop.b", "NETWORK_ERROR", "handler", "read_only"],
        ["shop.b", "shop.c", "HANDLER_ERROR", "handler", "read_only"],
      ]);
      // The second turn does not try them again.
      expect(of(events, "route.decided").map(({ intents }) => intents[0]?.chosen)).toEqual(["shop.a", "shop.c"]);
      expect(works.calls.length - arrived).toBe(2);
      // One attempt, two with its retry, and one.
      expect(of(events, "attempt.started").map(({ number }) => number)).toEqual([1, 2, 3, 4, 1]);
      const metrics = String((await world.call("getMetrics")).body);
      expect(metrics).toContain('yagate_routes_changed_total{code="NETWORK_ERROR"} 1');
      expect(metrics).toContain('yagate_routes_changed_total{code="HANDLER_ERROR"} 1');
      expect(metrics).toContain('yagate_routes_decided_total{served_by="tool"} 2');
      const params = { id: events[0]?.executionId ?? "" };
      const calls = expectStatus(await world.call("listToolCalls", { params, key }), 200);
      const version = expect.any(String);
      expect(pageSchema(toolCallRecordSchema).parse(calls).data).toMatchObject([
        { capability: { key: "shop.c", version }, triedCapabilities: ["shop.a", "shop.b"] },
        { capability: { key: "shop.c", version } },
      ]);
      const receipt = receiptSchema.parse(expectStatus(await world.call("getReceipt", { params, key }), 200));
      expect(receipt).toMatchObject({ verified: true, isFinal: true });
      expect(JSON.stringify(receipt)).toContain("moved from shop.a to shop.b, because shop.a failed");
    });

    it.each<[string, readonly [object, object], object]>([
      ["a write whose outcome is unknown", [{ sideEffect: "non_idempotent_write" }, {}], { approval: "never" }],
      ["a call that a person approved", [{ approval: "always" }, {}], {}],
      ["a call whose next capability needs an approval", [{}, { sideEffect: "destructive" }], {}],
    ])("does not move %s", async (_what, [first, second], policy) => {
      const arrived = works.calls.length;
      const { key } = await makeShop(world, [
        { url: silent.url, priority: 90, tool: { timeout: 300, ...first } },
        { url: works.url, priority: 10, tool: second },
      ]);
      const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }], policy }, { key });
      const approving = setInterval(async () => {
        const { body } = await world.call("listApprovals", { query: { status: "pending" }, key });
        for (const { id } of Object(body).data) await world.call("approve", { params: { id }, body: {}, key });
      }, 100);
      const events = await eventsOf(world, { agentId: agent.id, body: asking(), key }).finally(() =>
        clearInterval(approving),
      );
      expect(of(events, "route.changed")).toEqual([]);
      expect(of(events, "tool_call.failed")).toMatchObject([{ error: { code: "TIMEOUT" } }]);
      expect(works.calls.length).toBe(arrived);
    });

    it.each<[string, object]>([
      ["non_idempotent_write", { status: 500, body: undefined }],
      ["idempotent_write", { status: 504, body: undefined }],
      ["non_idempotent_write", { body: { error: { code: "TIMEOUT", message: "the bank is slow" } } }],
    ])("does not move a call with %s after its capability answered", async (sideEffect, answer) => {
      const arrived = works.calls.length;
      const wrote = await startHandler(answer);
      const { events } = await run(
        [
          { url: wrote.url, priority: 90, tool: { sideEffect } },
          { url: works.url, priority: 10, tool: { sideEffect } },
        ],
        { policy: { approval: "never" } },
      );
      expect(wrote.calls).toHaveLength(1);
      expect(of(events, "route.changed")).toEqual([]);
      expect(of(events, "tool_call.failed")).toHaveLength(1);
      expect(works.calls.length).toBe(arrived);
    });

    it("sends the next capability no more calls in a model turn than its tool allows", async () => {
      const once = await startHandler({ body: { result: FOUND } });
      const { key } = await makeShop(world, [
        { url: UNREACHABLE, priority: 90 },
        { url: once.url, priority: 10, tool: { maxCallsPerTurn: 1 } },
      ]);
      const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }] }, { key });
      const toolCalls = ["ORD-7", "ORD-8", "ORD-9"].map((orderId) => ({ name: TOOL, parameters: { orderId } }));
      const body = { input: "Where are my orders?", script: { turns: [{ toolCalls }, { text: "done" }] } };
      const events = await eventsOf(world, { agentId: agent.id, body, key });
      expect(once.calls).toHaveLength(1);
      expect(of(events, "route.changed")).toHaveLength(1);
      expect(of(events, "tool_call.completed")).toHaveLength(1);
      expect(of(events, "tool_call.failed").map(({ error }) => error.code)).toEqual(["NETWORK_ERROR", "NETWORK_ERROR"]);
    });

    it("frames the result of the next capability if that is untrusted", async () => {
      const { events } = await run([
        { url: UNREACHABLE, priority: 90 },
        { url: works.url, priority: 10, tool: { trusted: false } },
      ]);
      expect(of(events, "route.changed")).toMatchObject([{ isUntrusted: true }]);
      expect(of(events, "tool_call.completed")).toMatchObject([{ result: FOUND }]);
      expect(of(events, "tool_call.requested")).toMatchObject([{ frameNonce: expect.stringMatching(/^\w{16,}$/) }]);
    });

    it("moves a write if nothing was sent", async () => {
      const tool = { sideEffect: "non_idempotent_write" };
      const { events } = await run(
        [
          { url: UNREACHABLE, priority: 90, tool },
          { url: works.url, priority: 10, tool },
        ],
        { policy: { approval: "never" } },
      );
      expect(of(events, "route.changed")).toMatchObject([{ to: { key: "shop.b" }, error: { code: "NETWORK_ERROR" } }]);
      expect(of(events, "tool_call.completed")).toHaveLength(1);
    });

    it("does not move a call for an error that another capability would share", async () => {
      const rejects = await startHandler({
        status: 422,
        body: { error: { code: "NO_ORDER", message: "no such order" } },
      });
      const { events } = await run([
        { url: rejects.url, priority: 90 },
        { url: works.url, priority: 10 },
      ]);
      expect(of(events, "route.changed")).toEqual([]);
      expect(of(events, "tool_call.failed")).toHaveLength(1);
    });

    it("gives the model the last error if every capability fails", async () => {
      const { events } = await run([
        { url: UNREACHABLE, priority: 90 },
        { url: fails.url, priority: 10 },
      ]);
      expect(of(events, "route.changed")).toHaveLength(1);
      expect(of(events, "tool_call.failed")).toMatchObject([{ error: { code: "HANDLER_ERROR", attempts: 2 } }]);
    });

    it("redelivers a call to the capability that served it", async () => {
      const { events, key } = await run([
        { url: fails.url, priority: 90 },
        { url: works.url, priority: 10 },
      ]);
      const params = { id: events[0]?.executionId ?? "" };
      const [call] = pageSchema(toolCallRecordSchema).parse(
        expectStatus(await world.call("listToolCalls", { params, key }), 200),
      ).data;
      expect(call?.capability).toMatchObject({ key: "shop.b" });
      const again = await world.call("redeliverToolCall", { params: { id: call?.id ?? "" }, body: {}, key });
      expect(redeliverySchema.parse(expectStatus(again, 200))).toMatchObject({ status: "completed", result: FOUND });
    });
  });
}

describeFailover("on SQLite", async () => ({}));
if (hasPostgres()) describeFailover("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));

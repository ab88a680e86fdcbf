import type { ExecuteRequest, HandlerToolInput } from "@yagate/client";
import { type ToolCallback, type ToolContext, ToolError } from "@yagate/handler";
import { completeToolCall } from "@yagate/handler/callback";
import { problemSchema, type ReceivedEvent, type Script, signCallback } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { startDeferringService } from "./support/deferring-service.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

const TURNS: Script["turns"] = [calls("lookup_order"), { text: "done" }];

interface ShopOptions {
  readonly config?: Parameters<typeof openWorld>[0];
  readonly tool?: Partial<HandlerToolInput>;
  readonly run?: (context: ToolContext, runs: number) => unknown;
  readonly turns?: Script["turns"];
  readonly request?: Partial<ExecuteRequest>;
}

/** A gateway, a service whose tool defers, and an execution that calls it. */
async function openShop({ config, tool, run, turns = TURNS, request }: ShopOptions = {}) {
  const world = await openWorld(config);
  const service = await startDeferringService(world.secret, run);
  const agent = await world.createAgent([toolAt(service.url, { async: true, sideEffect: "read_only", ...tool })]);
  const { id } = await world.client.agents.start(agent.id, { input: "go", script: { turns }, ...request });
  const ended = () => world.client.executions.events(id).result();
  const complete = (callback: ToolCallback, outcome: Parameters<typeof completeToolCall>[1]) =>
    completeToolCall(callback, outcome, { secrets: world.secret, timeoutMs: 5_000 });
  return { world, service, agent, id, ended, complete };
}

async function waits({ world, id }: { world: World; id: string }): Promise<void> {
  for await (const { type } of world.client.executions.events(id)) if (type === "execution.waiting") return;
}

/** Brings an outcome by hand, so that anything can be wrong with it. */
async function bring(
  { url, token }: { url: string; token: string },
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code?: string }> {
  const authorization = `Bearer ${token}`;
  const response = await fetch(url, { method: "POST", headers: { authorization, ...headers }, body });
  const problem = problemSchema.safeParse(await response.json());
  return { status: response.status, ...(problem.success ? { code: problem.data.code } : {}) };
}

async function eventsOf({ world, id }: { world: World; id: string }): Promise<readonly ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of world.client.executions.events(id)) if (event.type !== "text.delta") events.push(event);
  return events;
}

describe("a tool that defers", () => {
  it("is waited for, and the execution goes on with the result that is brought", async () => {
    const shop = await openShop();
    const callback = await shop.service.deferred();
    await waits(shop);
    const { client } = shop.world;
    const [call] = await client.executions.toolCalls(shop.id).toArray();
    expect(call).toMatchObject({
      id: callback.toolCallId,
      status: "waiting_callback",
      callbackUntil: callback.expiresAt,
      attempts: [{ number: 1, httpStatus: 202 }],
    });
    expect(Date.parse(callback.expiresAt) - Date.parse(call?.attempts[0]?.startedAt ?? "")).toBe(86_400_000);
    expect(await client.executions.get(shop.id)).toMatchObject({ status: "waiting" });

    await shop.complete(callback, { result: { status: "shipped", note: "Zürich ☃" } });
    expect(await shop.ended()).toMatchObject({
      status: "completed",
      output: { text: "done" },
      toolCalls: [{ status: "completed", via: "callback", result: { status: "shipped", note: "Zürich ☃" } }],
    });
    const types = (await eventsOf(shop)).map(({ type }) => type);
    expect(types.slice(types.indexOf("attempt.started"))).toEqual([
      "attempt.started",
      "attempt.finished",
      "execution.waiting",
      "callback.received",
      "tool_call.completed",
      "model.requested",
      "model.responded",
      "execution.completed",
    ]);
    expect(shop.service.runs).toBe(1);
  });

  it("may fail later, in its own words", async () => {
    const shop = await openShop();
    const error = new ToolError("SOLD_OUT", "no seat is left", { hint: "offer another day", details: { seats: 0 } });
    await shop.complete(await shop.service.deferred(), { error });
    const { toolCalls } = await shop.ended();
    expect(toolCalls[0]).toMatchObject({
      status: "failed",
      error: {
        code: "SOLD_OUT",
        message: "no seat is left",
        hint: "offer another day",
        details: { seats: 0 },
        source: "handler",
        outcome: "none",
        retryable: false,
      },
    });
  });

  it("may know its result at once", async () => {
    const shop = await openShop({ run: () => ({ status: "known" }) });
    expect((await shop.ended()).toolCalls[0]).toMatchObject({ via: "handler", result: { status: "known" } });
  });

  it("has a token that is in no record", async () => {
    const shop = await openShop({ run: ({ callback, defer }, runs) => (runs === 1 ? { echoed: callback } : defer()) });
    const { token } = await shop.service.deferred();
    const { toolCalls } = await shop.ended();
    const { client } = shop.world;
    const attempt = await client.attempts.get(toolCalls[0]?.attempts[0]?.id ?? "");
    expect(attempt.request?.body).toContain('"callback":{"url":"');
    const events = await eventsOf(shop);
    expect(JSON.stringify([toolCalls, attempt, events])).not.toContain(token);
    expect(toolCalls[0]?.result).toMatchObject({ echoed: { token: "[redacted]" } });
  });

  it("may bring its token back, which nobody reads", async () => {
    const shop = await openShop();
    const callback = await shop.service.deferred();
    await shop.complete(callback, { result: { echoed: callback } });
    const { toolCalls } = await shop.ended();
    const receipt = await shop.world.client.executions.receipt(shop.id);
    const calls = await shop.world.client.executions.toolCalls(shop.id).toArray();
    expect(JSON.stringify([toolCalls, calls, receipt, await eventsOf(shop)])).not.toContain(callback.token);
    expect(toolCalls[0]?.result).toMatchObject({ echoed: { token: "[redacted]" } });
  });

  it("waits together with its siblings, each for its own result, in any order", async () => {
    const shop = await openShop({ turns: [calls("lookup_order", "lookup_order"), { text: "done" }] });
    const callbacks = [await shop.service.deferred(), await shop.service.deferred()];
    expect(new Set(callbacks.map(({ token }) => token)).size).toBe(2);
    await waits(shop);
    for (const callback of callbacks.toReversed()) await shop.complete(callback, { result: callback.toolCallId });
    const { toolCalls } = await shop.ended();
    expect(toolCalls.map(({ id, result }) => [id, result])).toEqual(toolCalls.map(({ id }) => [id, id]));
  });

  it("can be one that a person must allow first", async () => {
    const shop = await openShop({ config: { allowSelfApproval: true }, tool: { sideEffect: "destructive" } });
    await waits(shop);
    const [approval] = await shop.world.client.approvals.list({ status: "pending" }).toArray();
    await shop.world.client.approvals.approve(approval?.id ?? "");
    await shop.complete(await shop.service.deferred(), { result: "refunded" });
    expect((await shop.ended()).toolCalls[0]).toMatchObject({ via: "callback", approval: { status: "approved" } });
  });
});

describe("an outcome that is brought", () => {
  it("holds: the same bytes change nothing, others are a conflict, also when the execution has ended", async () => {
    const shop = await openShop();
    const callback = await shop.service.deferred();
    const body = '{"result":1}';
    const answers = await Promise.all(Array.from({ length: 10 }, () => bring(callback, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const isEnded of [false, true]) {
      if (isEnded) await shop.ended();
      expect(await bring(callback, body)).toEqual({ status: 200 });
      expect(await bring(callback, '{"result":2}')).toEqual({ status: 409, code: "CONFLICT" });
      expect(await bring(callback, '{"result": 1}')).toEqual({ status: 409, code: "CONFLICT" });
    }
    const events = await eventsOf(shop);
    expect(events.filter(({ type }) => type === "callback.received")).toHaveLength(1);
    expect((await shop.ended()).toolCalls[0]?.result).toBe(1);
  });

  it("of many different ones at once is one", async () => {
    const shop = await openShop();
    const callback = await shop.service.deferred();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => bring(callback, `{"result":${n}}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "CONFLICT")).toHaveLength(9);
    const taken = answers.findIndex(({ status }) => status === 200);
    expect((await shop.ended()).toolCalls[0]?.result).toBe(taken);
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ["no body", "", {}, 400, "MALFORMED_JSON"],
    ["no JSON", "{", {}, 400, "MALFORMED_JSON"],
    ["neither a result nor an error", '{"pending":true}', {}, 422, "INVALID_REQUEST"],
    ["both", '{"result":1,"error":{"code":"A","message":"b"}}', {}, 422, "INVALID_REQUEST"],
    ["an error without a message", '{"error":{"code":"A"}}', {}, 422, "INVALID_REQUEST"],
    ["a __proto__", '{"result":{"__proto__":{"a":1}}}', {}, 400, "MALFORMED_JSON"],
    ["a number out of range", '{"result":1e999}', {}, 422, "INVALID_REQUEST"],
    ["too many levels", `{"result":${"[".repeat(300)}${"]".repeat(300)}}`, {}, 422, "INVALID_REQUEST"],
    ["more than an answer may have", `{"result":"${"x".repeat(500_000)}"}`, {}, 413, "BODY_TOO_LARGE"],
    ["compressed bytes", '{"result":1}', { "content-encoding": "gzip" }, 422, "INVALID_REQUEST"],
    ["a signature that is none", '{"result":1}', { "x-ya-signature": "sha256=0" }, 401, "SIGNATURE_MALFORMED"],
    ["a wrong signature", '{"result":1}', { "x-ya-signature": `sha256=${"0".repeat(64)}` }, 401, "SIGNATURE_MISMATCH"],
  ])("is not used up by %s", async (_name, body, headers, status, code) => {
    const shop = await openShop();
    const callback = await shop.service.deferred();
    expect(await bring(callback, body, headers)).toEqual({ status, code });
    await shop.complete(callback, { result: "right" });
    expect((await shop.ended()).toolCalls[0]?.result).toBe("right");
  });

  it("must be signed where the tool asks for it", async () => {
    const shop = await openShop({ tool: { requireSignedAnswer: true } });
    const callback = await shop.service.deferred();
    const body = '{"result":1}';
    expect(await bring(callback, body)).toEqual({ status: 401, code: "SIGNATURE_MISSING" });
    const bytes = new TextEncoder().encode(body);
    const ofOther = await signCallback({ toolCallId: "tc_other", body: bytes }, [shop.world.secret]);
    expect(await bring(callback, body, { "x-ya-signature": ofOther })).toMatchObject({ code: "SIGNATURE_MISMATCH" });
    const own = await signCallback({ toolCallId: callback.toolCallId, body: bytes }, [shop.world.secret]);
    expect(await bring(callback, body, { "x-ya-signature": own })).toEqual({ status: 200 });
    expect((await shop.ended()).status).toBe("completed");
  });

  it("needs the call's own token", async () => {
    const shop = await openShop({ turns: [calls("lookup_order", "lookup_order"), { text: "done" }] });
    const [one, two] = [await shop.service.deferred(), await shop.service.deferred()];
    const { apiKey, client } = shop.world;
    const { token: executionToken } = await client.executions.createToken(shop.id);
    for (const token of [two.token, apiKey, executionToken, `${one.token}=`, "yc_", "x"]) {
      expect(await bring({ url: one.url, token }, '{"result":1}')).toEqual({ status: 401, code: "UNAUTHENTICATED" });
    }
    const response = await fetch(one.url, { method: "POST", body: '{"result":1}' });
    expect(response.status).toBe(401);
    // And it opens nothing else.
    const read = await fetch(`${shop.world.url}/v1/tool-calls/${one.toolCallId}`, {
      headers: { authorization: `Bearer ${one.token}` },
    });
    expect(read.status).toBe(401);
  });

  it("that overtakes the answer which announces it is taken, and that answer changes nothing", async () => {
    const opened = Promise.withResolvers<Awaited<ReturnType<typeof openShop>>>();
    const shop = await openShop({
      run: async ({ defer }) => (await opened.promise).complete(defer(), { result: "early" }),
    });
    opened.resolve(shop);
    const { toolCalls, status } = await shop.ended();
    expect(status).toBe("completed");
    expect(toolCalls[0]).toMatchObject({ via: "callback", result: "early", attempts: [{ httpStatus: 202 }] });
  });

  it("ends the retries", async () => {
    const world = await openWorld();
    const service = await startRawService(async (response, { body }, count) => {
      if (count === 2) {
        const { callback } = JSON.parse(body.toString());
        expect(await bring(callback, '{"result":"brought"}')).toEqual({ status: 200 });
      }
      response.status(503).set("retry-after", "0").json({});
    });
    const tool = toolAt(service.url, { async: true, retries: 10, sideEffect: "idempotent_write" });
    const { toolCalls } = await world.play([tool], TURNS);
    expect(toolCalls[0]).toMatchObject({ via: "callback", result: "brought" });
    expect(toolCalls[0]?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([503, 503]);
    const bodies = service.calls.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies[1].callback).toEqual(bodies[0].callback);
  });

  it.each<[string, ShopOptions, (shop: Awaited<ReturnType<typeof openShop>>) => Promise<unknown>, object]>([
    [
      "has expired",
      { config: { callbackExpiryMs: 300 } },
      ({ ended }) => ended(),
      {
        status: "failed",
        error: { code: "TIMEOUT", outcome: "unknown", source: "gateway" },
      },
    ],
    [
      "was cancelled",
      {},
      async ({ world, id, ended }) => {
        await world.client.executions.cancel(id);
        await ended();
      },
      { status: "cancelled", error: { code: "CANCELLED", outcome: "unknown" } },
    ],
  ])("is of no use once its call %s", async (_name, options, end, expected) => {
    const shop = await openShop(options);
    const callback = await shop.service.deferred();
    await waits(shop);
    await end(shop);
    await expect(shop.complete(callback, { result: 1 })).rejects.toMatchObject({ code: "GONE" });
    expect((await shop.ended()).toolCalls[0]).toMatchObject(expected);
  });

  it("is a conflict when the handler's own answer, or the caller's, was first", async () => {
    const shop = await openShop({ run: () => "at once" });
    const callback = await shop.service.deferred();
    await shop.ended();
    await expect(shop.complete(callback, { result: 1 })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  describe("while the caller is asked for an answer of its own", () => {
    async function openHeld() {
      const run = () => {
        throw new ToolError("LOST", "began the work, and lost sight of it");
      };
      const shop = await openShop({ run, request: { fallbackWaitMs: 20_000 } });
      const callback = await shop.service.deferred();
      for await (const { type } of shop.world.client.executions.events(shop.id)) if (type === "tool_call.failed") break;
      const { url, apiKey } = shop.world;
      const answer = (body: unknown) =>
        fetch(`${url}/v1/tool-calls/${callback.toolCallId}/fallback`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      return { ...shop, callback, answer };
    }

    it("is what the call comes to", async () => {
      const { callback, complete, ended } = await openHeld();
      await complete(callback, { result: "found again" });
      expect((await ended()).toolCalls[0]).toMatchObject({ via: "callback", result: "found again" });
    });

    it("is why it failed, if the caller does not know better", async () => {
      const { callback, complete, ended, answer } = await openHeld();
      await complete(callback, { error: { code: "GAVE_UP", message: "no more" } });
      expect((await answer({ decline: true })).status).toBe(200);
      expect((await ended()).toolCalls[0]).toMatchObject({ status: "failed", error: { code: "GAVE_UP" } });
    });

    it("gives way to a caller who was first", async () => {
      const { callback, complete, ended, answer } = await openHeld();
      expect((await answer({ result: "by hand" })).status).toBe(200);
      await expect(complete(callback, { result: 1 })).rejects.toMatchObject({ code: "CONFLICT" });
      expect((await ended()).toolCalls[0]).toMatchObject({ via: "fallback", result: "by hand" });
    });
  });

  it("that never came may be answered by the caller", async () => {
    const shop = await openShop({ config: { callbackExpiryMs: 300 }, request: { fallbackWaitMs: 20_000 } });
    const { client } = shop.world;
    for await (const event of client.executions.events(shop.id)) {
      if (event.type !== "tool_call.failed") continue;
      expect(event).toMatchObject({
        error: { code: "TIMEOUT", outcome: "unknown" },
        fallbackUntil: expect.any(String),
      });
      break;
    }
    await expect(shop.complete(await shop.service.deferred(), { result: 1 })).rejects.toMatchObject({ code: "GONE" });
    await client.executions.cancel(shop.id);
    expect((await shop.ended()).status).toBe("cancelled");
  });
});

describe("where a handler could not bring it", () => {
  const tool = { async: true, sideEffect: "read_only" } as const;

  it("an asynchronous tool is refused when it is saved", async () => {
    const world = await openWorld({ host: "0.0.0.0" });
    await expect(world.createAgent([toolAt("http://127.0.0.1:1/tools", tool)])).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      fieldErrors: expect.arrayContaining([
        expect.objectContaining({ path: "tools[0].async", code: "PUBLIC_URL_MISSING" }),
      ]),
    });
  });

  it.each([
    ["https://gateway.example.com", "https://gateway.example.com/v1/callbacks/"],
    ["https://example.com/yagate/", "https://example.com/yagate/v1/callbacks/"],
  ])("the operator says so: %s", async (publicUrl, start) => {
    const shop = await openShop({ config: { host: "0.0.0.0", publicUrl } });
    const { url, toolCallId } = await shop.service.deferred();
    expect(url).toBe(start + toolCallId);
  });
});

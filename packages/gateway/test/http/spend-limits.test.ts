import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Execution, executionSchema, type Limits } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import {
  ANSWER_COST_USD,
  type AnsweringModel,
  startAnsweringModel,
} from "../../../models/test/support/answering-model.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent, problemOf, start } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

/** What one answer of the model counts. */
const ANSWER_TOKENS = 18;
const TOOLS = [{ builtin: "calculator" }];
const SUM = { name: "calculator", parameters: { expression: "1 + 1" } };

/** A limit, and the turns that it lets begin. */
const LEFT_OVER: readonly (readonly [keyof Limits, number, number])[] = [
  ["maxTotalTokens", 2 * ANSWER_TOKENS + 1, 3],
  ["maxTotalTokens", 2 * ANSWER_TOKENS, 2],
  ["maxCostUsd", 2.5 * ANSWER_COST_USD, 3],
  ["maxCostUsd", 2 * ANSWER_COST_USD, 2],
];

const worlds: World[] = [];
const models: AnsweringModel[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
  for (const model of models.splice(0)) await model.stop();
});

async function openWorld(config: Partial<GatewayConfig> = {}): Promise<World> {
  const world = await startWorld({ logLevel: "silent", ...config });
  worlds.push(world);
  return world;
}

/** A model that asks for one more sum in each of its first turns. */
async function startModel(turns = 1_000, call: { name: string; parameters: object } = SUM): Promise<AnsweringModel> {
  const model = await startAnsweringModel({
    calls: (_request, turn) => (turn <= turns ? [call] : []),
    answer: () => ({ content: { text: "yes", end: "complete" } }),
  });
  models.push(model);
  return model;
}

function describeSpending(name: string, configOf: () => Promise<Partial<GatewayConfig>>): void {
  describe(`what a whole execution may spend, ${name}`, () => {
    it("ends it before the next turn once nothing is left, and not as long as something is", async () => {
      const model = await startModel();
      const world = await openWorld({ providers: model.providers, ...(await configOf()) });
      for (const [limit, value, turns] of LEFT_OVER) {
        const { id } = await makeAgent(world, { model: model.model, tools: TOOLS, limits: { [limit]: value } });
        const before = model.requests.length;
        const execution = await execute(world, id, { input: "go" });
        expect(model.requests.length - before).toBe(turns);
        expect(execution).toMatchObject({
          status: "completed",
          stopReason: limit,
          error: null,
          // The calls of the turn that passed it ran.
          usage: { inputTokens: 11 * turns, outputTokens: 7 * turns, toolCalls: turns },
          cost: { usd: expect.closeTo(turns * ANSWER_COST_USD, 12) },
        });
        expect(execution.output?.text).toContain(`(${limit})`);
        const reader = new EventReader(await world.open("followExecution", { params: { id: execution.id } }));
        const events = (await reader.all()).map(({ data }) => data);
        expect(events.map(({ type }) => type).slice(-3)).toEqual([
          "tool_call.completed",
          "limit.reached",
          "execution.completed",
        ]);
        expect(events.at(-2)).toMatchObject({ limit, message: expect.stringContaining("limit is") });
        const receipt = expectStatus(await world.call("getReceipt", { params: { id: execution.id } }), 200);
        expect(receipt).toMatchObject({ verified: true });
        expect(JSON.stringify(receipt)).toContain(`The execution reached its limit ${limit}: `);
      }
    });

    it("is counted from the record by whichever gateway goes on", async () => {
      const config = await configOf();
      const handler = await startHandler();
      handler.release();
      const model = await startModel(1, { name: "work", parameters: {} });
      const world = await openWorld({ providers: model.providers, ...config });
      const tools = [workTool(handler.url, { approval: "always" })];
      const { id } = await makeAgent(world, { model: model.model, tools, limits: { maxTotalTokens: ANSWER_TOKENS } });
      const started = await start(world, id, { input: "go" });
      // Before that, somebody who listens would make it a streamed turn, which this model does not speak.
      await model.requested(1);
      const approvalId = await askedFor(world, started.id);
      await world.close();

      const { dataDir, key: apiKey } = world;
      const next = await openWorld({ providers: model.providers, ...config, dataDir, apiKey });
      const { text: key } = await next.makeKey(["approvals"]);
      expectStatus(await next.call("approve", { params: { id: approvalId }, key }), 200);
      const ended = await endOf(next, started.id);
      expect(ended).toMatchObject({ stopReason: "maxTotalTokens", usage: { inputTokens: 11, outputTokens: 7 } });
      expect(handler.calls).toHaveLength(1);
      expect(model.requests).toHaveLength(1);
    });
  });
}

describeSpending("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeSpending("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});

describe("a limit on the spending of an execution", () => {
  it("lets a model answer in the turn that passes it", async () => {
    const model = await startModel(0);
    const world = await openWorld({ providers: model.providers });
    const { id } = await makeAgent(world, { model: model.model, tools: TOOLS, limits: { maxTotalTokens: 1 } });
    expect(await execute(world, id, { input: "go" })).toMatchObject({ stopReason: "final", output: { text: "done" } });
  });

  it("can be lowered by an execution, and neither raised nor taken away", async () => {
    const model = await startModel();
    const world = await openWorld({ providers: model.providers });
    const limits = { maxTotalTokens: 2 * ANSWER_TOKENS, maxCostUsd: 1 };
    const { id } = await makeAgent(world, { model: model.model, tools: TOOLS, limits });
    const spent = async (wish: Partial<Limits>) => {
      const { usage, stopReason } = await execute(world, id, { input: "go", limits: wish });
      return [usage.toolCalls, stopReason];
    };
    expect(await spent({ maxTotalTokens: 1 })).toEqual([1, "maxTotalTokens"]);
    expect(await spent({ maxTotalTokens: 1_000 })).toEqual([2, "maxTotalTokens"]);
    expect(await spent({ maxTotalTokens: null })).toEqual([2, "maxTotalTokens"]);
    expect(await spent({ maxCostUsd: ANSWER_COST_USD })).toEqual([1, "maxCostUsd"]);
  });

  it("of 0 USD holds back no model that costs nothing", async () => {
    const world = await openWorld();
    const { id } = await makeAgent(world, { tools: TOOLS, limits: { maxCostUsd: 0 } });
    const script = { turns: [{ toolCalls: [SUM] }, { text: "done" }] };
    expect(await execute(world, id, { input: "go", script })).toMatchObject({ stopReason: "final" });
  });

  it("needs a model with a price: when the agent is saved, and when its execution starts", async () => {
    const house = { house: { apiKey: "key", baseUrl: "http://127.0.0.1:9/v1" } };
    const world = await openWorld({ providers: house });
    const body = { name: "a", model: "house/llama3", limits: { maxCostUsd: 1 } };
    const unpriced = {
      status: 422,
      code: "MODEL_UNPRICED",
      detail: expect.stringContaining("house/llama3"),
      errors: [{ path: "limits.maxCostUsd", code: "MODEL_UNPRICED" }],
    };
    expect(problemOf(await world.call("createAgent", { body }))).toMatchObject(unpriced);

    const { id } = await makeAgent(world, { model: "house/llama3" });
    const change = { limits: { maxCostUsd: 1 } };
    expect(problemOf(await world.call("updateAgent", { params: { id }, body: change }))).toMatchObject(unpriced);
    const request = { input: "go", ...change };
    expect(problemOf(await world.call("executeAgent", { params: { id }, body: request }))).toMatchObject(unpriced);
    // Tokens are counted without a price.
    expectStatus(await world.call("updateAgent", { params: { id }, body: { limits: { maxTotalTokens: 5 } } }), 200);

    const priced = await makeAgent(world, { model: "openai/gpt-5-mini", limits: { maxCostUsd: 1 } });
    const move = { model: "house/llama3" };
    expect(problemOf(await world.call("updateAgent", { params: { id: priced.id }, body: move }))).toMatchObject(
      unpriced,
    );
    const wrong = { ...body, tools: [...TOOLS, ...TOOLS] };
    expect(problemOf(await world.call("createAgent", { body: wrong }))).toMatchObject({
      code: "INVALID_REQUEST",
      errors: expect.arrayContaining([expect.objectContaining(unpriced.errors[0])]),
    });
  });

  it("keeps nobody from repeating the request that started an execution, whatever became of the agent", async () => {
    const model = await startModel(0);
    const house = { house: { apiKey: "key", baseUrl: "http://127.0.0.1:9/v1" } };
    const world = await openWorld({ providers: { ...model.providers, ...house } });
    const { id } = await makeAgent(world, { model: model.model, tools: TOOLS });
    const body = { input: "go", limits: { maxCostUsd: 1 } };
    const ask = (key: string, input = "go") =>
      world.call("executeAgent", {
        params: { id },
        body: { ...body, input },
        headers: { "idempotency-key": key, prefer: "wait=30" },
      });
    const first = executionSchema.parse(expectStatus(await ask("first"), 201));
    const becomes = async (change: object) =>
      expectStatus(await world.call("updateAgent", { params: { id }, body: change }), 200);
    const refusedAs: [() => Promise<unknown>, string][] = [
      [() => becomes({ model: "house/llama3" }), "MODEL_UNPRICED"],
      [() => becomes({ model: "scripted/turns" }), "INVALID_REQUEST"],
      [async () => expectStatus(await world.call("archiveAgent", { params: { id } }), 204), "NOT_FOUND"],
    ];
    for (const [change, code] of refusedAs) {
      await change();
      expect(expectStatus(await ask("first"), 201)).toMatchObject({ id: first.id, stopReason: "final" });
      expect(problemOf(await ask("first", "another"))).toMatchObject({ code: "CONFLICT" });
      expect(problemOf(await ask("second"))).toMatchObject({ code });
    }
    expect(model.requests).toHaveLength(1);
  });

  it("starts nothing once the price is gone, and keeps nobody from changing the agent", async () => {
    const providers = { house: { apiKey: "key", baseUrl: "http://127.0.0.1:9/v1" } };
    const first = await openWorld({ providers });
    const { dataDir, key: apiKey } = first;
    await first.close();
    const pricesFile = join(dataDir, "prices.json");
    const prices = { providers: { house: { models: { llama3: { input: 1, output: 1 } } } } };
    await writeFile(pricesFile, JSON.stringify(prices));
    const world = await openWorld({ providers, dataDir, apiKey, pricesFile });
    const { id } = await makeAgent(world, { model: "house/llama3", limits: { maxCostUsd: 1 } });
    await world.close();

    const next = await openWorld({ providers, dataDir, apiKey });
    const answer = await next.call("executeAgent", { params: { id }, body: { input: "go" } });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "MODEL_UNPRICED" });
    expectStatus(await next.call("updateAgent", { params: { id }, body: { name: "renamed" } }), 200);
  });
});

async function askedFor(world: World, id: string): Promise<string> {
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("approval.requested");
  await reader.leave();
  if (data.type !== "approval.requested") throw new Error("expected a question");
  return data.approvalId;
}

async function endOf(world: World, id: string): Promise<Execution> {
  await (await world.open("followExecution", { params: { id } })).text();
  return executionSchema.parse((await world.call("getExecution", { params: { id } })).body);
}

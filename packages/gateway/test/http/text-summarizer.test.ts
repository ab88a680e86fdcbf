import { type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import {
  ANSWER_COST_USD,
  type AnsweringModel,
  type AskedRequest,
  type ModelAnswer,
  startAnsweringModel,
} from "../../../models/test/support/answering-model.ts";
import { createRecorder, only } from "../../../telemetry/test/support/traced-world.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

const NAME = "text_summarizer";
const PLANTED = "The harbour is closed to the green boats on Mondays.";
const TEXT = `${PLANTED} Boats of other colours may enter at any time. Fees are paid at the gate.`;
const SAID = { summary: "A harbour.", keyPoints: [{ text: "Green boats stay out on Mondays.", passages: [1] }] };
const summary: ModelAnswer = { content: { text: JSON.stringify(SAID), end: "complete" } };

const worlds: World[] = [];
const models: AnsweringModel[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
  for (const model of models.splice(0)) await model.stop();
});

interface Play {
  readonly calls?: Parameters<typeof startAnsweringModel>[0]["calls"];
  readonly answer?: (question: AskedRequest, index: number) => ModelAnswer | "hold";
  readonly config?: Partial<GatewayConfig>;
  readonly agent?: Record<string, unknown>;
  readonly prepare?: (world: World) => Promise<void>;
}

async function play({ calls, answer = () => summary, config = {}, agent = {}, prepare }: Play) {
  const model = await startAnsweringModel({ calls: calls ?? [{ name: NAME, parameters: { text: TEXT } }], answer });
  models.push(model);
  const world = await startWorld({ providers: model.providers, logLevel: "silent", ...config });
  worlds.push(world);
  await prepare?.(world);
  const { id } = await makeAgent(world, { model: model.model, tools: [{ builtin: NAME }], ...agent });
  const execution = await execute(world, id, { input: "go" });
  const listed = await world.call("listToolCalls", { params: { id: execution.id } });
  const { data } = z.object({ data: z.array(toolCallRecordSchema) }).parse(expectStatus(listed, 200));
  return { model, world, execution, records: data };
}

const last = (records: readonly ToolCallRecord[]) => records.at(-1);

function describeRecords(name: string, configOf: () => Promise<Partial<GatewayConfig>>): void {
  describe(`a summary in the model's words, ${name}`, () => {
    it("is in the call's record, the receipt and the sums of the execution", async () => {
      const { world, execution, records, model } = await play({ config: await configOf() });
      expect(records).toMatchObject([
        {
          status: "completed",
          kind: "compute",
          result: { method: "model", summary: "A harbour.", keyPoints: [{ isCited: true }], questionCount: 1 },
          cost: { usd: ANSWER_COST_USD },
          modelCalls: [
            { model: model.model, requests: 1, finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
          ],
        },
      ]);
      expect(execution).toMatchObject({
        usage: { inputTokens: 33, outputTokens: 21, toolCalls: 1 },
        cost: { usd: 3 * ANSWER_COST_USD },
      });
      const listed = await world.call("getExecution", { params: { id: execution.id } });
      expect(listed.body).toMatchObject({ usage: execution.usage, cost: execution.cost });
      const receipt = expectStatus(await world.call("getReceipt", { params: { id: execution.id } }), 200);
      expect(receipt).toMatchObject({ verified: true });
      expect(JSON.stringify(receipt)).toContain(
        `It called the model ${model.model} 1 time (11 input tokens and 7 output tokens). It cost ${ANSWER_COST_USD} USD.`,
      );
      // Of what was asked there is nothing but the call's own arguments.
      const events = await (await world.open("followExecution", { params: { id: execution.id } })).text();
      expect(events).not.toContain("You summarise a text");
      expect(model.questions[0]?.system).toContain("You summarise a text");
    });
  });
}

describeRecords("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeRecords("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});

describe("the summarizer in a gateway", () => {
  it("is found by its other name, and an agent's wrong configuration is named", async () => {
    const { records } = await play({
      agent: { tools: [{ builtin: "summarizer", config: { mode: "extractive" } }] },
    });
    expect(records).toMatchObject([{ name: NAME, result: { method: "extractive", characterCount: TEXT.length } }]);
    const world = worlds.at(-1);
    const body = { name: "a", model: "scripted/turns", tools: [{ builtin: NAME, config: { maxQuestions: 0 } }] };
    expect(await world?.call("createAgent", { body })).toMatchObject({
      status: 422,
      body: { errors: [{ path: "tools[0].config.maxQuestions" }] },
    });
  });

  it("reads a result that was too large to be shown", async () => {
    const report = Array.from({ length: 3_000 }, (_, index) => `Line ${index} of the report says little.`).join("\n");
    const handler = await startHandler({ body: { result: { title: "Report", report } } });
    handler.release();
    const { records, model } = await play({
      agent: { tools: [workTool(handler.url), { builtin: NAME }] },
      answer: ({ system }) =>
        system.startsWith("You take notes")
          ? { content: { text: '{"notes": [{"text": "Little.", "passages": [1]}]}', end: "complete" } }
          : summary,
      calls: ({ body }, turn) => {
        if (turn === 1) return [{ name: "work", parameters: {} }];
        const artifactId = /artifact (art_\w+)/.exec(body)?.[1];
        return turn === 2 ? [{ name: NAME, parameters: { artifactId, path: "$.report" } }] : [];
      },
    });
    expect(last(records)).toMatchObject({ result: { method: "model", characterCount: report.length } });
    expect(last(records)?.modelCalls).toHaveLength(model.questions.length);
    expect(model.questions.length).toBeGreaterThan(2);
  });

  it("takes a text of 2 MB as it is, where other calls may have half as much", async () => {
    const text = Array.from(
      { length: 25_000 },
      (_, index) => `Report ${index} says that the boats of pier ${index % 7} are in order.`,
    ).join(" ");
    const parameters = { text: text.padEnd(2_000_000, " The end."), mode: "extractive", maxSentences: 2 };
    const { records } = await play({ calls: [{ name: NAME, parameters }] });
    expect(last(records)).toMatchObject({
      status: "completed",
      result: { method: "extractive", characterCount: 2_000_000 },
    });
  });

  it("falls back to sentences of the text when the limit of cost is used up, and says so", async () => {
    const { records, model, execution } = await play({ agent: { limits: { maxToolCostUsd: 0 } } });
    expect(model.questions).toEqual([]);
    expect(records).toMatchObject([
      { status: "completed", result: { method: "extractive", reason: { code: "BUDGET_EXCEEDED" } }, cost: { usd: 0 } },
    ]);
    expect(execution).toMatchObject({ stopReason: "final" });
  });

  it("falls back when the model is cut off twice, and pays for both", async () => {
    const cut: ModelAnswer = { content: { text: '{"summary": "A har', end: "length" } };
    const { records, execution } = await play({ answer: () => cut });
    expect(records).toMatchObject([
      {
        result: { method: "extractive", reason: { code: "UNREADABLE_REPLY" } },
        cost: { usd: 2 * ANSWER_COST_USD },
        modelCalls: [{ finishReason: "length" }, { finishReason: "length" }],
      },
    ]);
    expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
  });

  it("keeps secrets out of what the model says to it", async () => {
    const secret = "sk-planted-0123456789abcdef";
    const told = JSON.stringify({ summary: `The key is ${secret}.`, keyPoints: [] });
    const { records, world } = await play({
      answer: () => ({ content: { text: told, end: "complete" } }),
      agent: {
        tools: [{ builtin: NAME }, { builtin: "api_call" }],
        credentials: ["SHOP_KEY"],
        policy: { network: true },
      },
      prepare: async (opened) => {
        const body = { value: secret, auth: { type: "bearer" }, hosts: ["api.shop.example"] };
        expectStatus(await opened.call("putSecret", { params: { name: "SHOP_KEY" }, body }), 200);
      },
    });
    expect(records).toMatchObject([{ result: { method: "model", summary: "The key is ***SHOP_KEY***." } }]);
    const events = await (
      await world.open("followExecution", { params: { id: records[0]?.executionId ?? "" } })
    ).text();
    expect(events).not.toContain(secret);
  });

  it("has its questions in the trace and in the metrics, and none of their words", async () => {
    const recorder = createRecorder();
    const { world, model } = await play({ config: { tracerProvider: recorder.provider } });
    await recorder.spans("invoke_agent test");
    const call = only(recorder.all(), `execute_tool ${NAME}`);
    const chats = recorder.all().filter(({ name }) => name === `chat ${model.model}`);
    const question = chats.find(({ parentSpanContext }) => parentSpanContext?.spanId === call.spanContext().spanId);
    expect(chats).toHaveLength(3);
    expect(question?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.usage.input_tokens": 11,
      "gen_ai.usage.output_tokens": 7,
      "gen_ai.response.finish_reasons": ["stop"],
      "yagate.cost.usd": ANSWER_COST_USD,
    });
    expect(call.attributes).toMatchObject({ "yagate.tool.model_calls": 1, "yagate.tool.attempts": 0 });
    expect(JSON.stringify(recorder.all().map(({ attributes, events }) => [attributes, events]))).not.toContain(
      "harbour",
    );
    const metrics = String((await world.call("getMetrics")).body);
    expect(metrics).toContain('yagate_model_requests_total{provider="anthropic",result="ok"} 3');
    expect(metrics).toContain('yagate_model_tokens_total{provider="anthropic",type="input"} 33');
  });
});

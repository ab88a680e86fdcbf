import {
  argumentsHash,
  type CreateExecution,
  createdApiKeySchema,
  type Execution,
  executionRecordingSchema,
  executionSchema,
  type HandlerToolDefinition,
  type JsonValue,
  type KeyRouting,
  pageSchema,
  type RecordedResult,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import { type Handler, startHandler } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

const ORDER = { orderId: "ORD-1" };
const TWO_TURNS = [{ toolCalls: [{ name: "lookup", parameters: ORDER }] }, { text: "It is packed." }];

async function resultOf(parameters: object, rest: Partial<RecordedResult> = {}): Promise<RecordedResult> {
  const hash = await argumentsHash(parameters);
  return { name: "lookup", argumentsHash: hash, occurrence: 1, result: { status: "packed" }, ...rest };
}

function describeRecordings(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`an execution with a recording ${place}`, () => {
    let world: World;
    let handler: Handler;
    let agentId: string;
    let key: string;

    const toolAt = (rest: Partial<HandlerToolDefinition> = {}): HandlerToolDefinition => ({
      name: "lookup",
      description: "Finds an order.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: handler.url,
      sideEffect: "read_only",
      ...rest,
    });

    async function keyWith(routing: KeyRouting | null): Promise<string> {
      const body = { name: "evals", scopes: ["executions"], routing };
      return createdApiKeySchema.parse(expectStatus(await world.call("createApiKey", { body }), 201)).key;
    }

    async function run(id: string, body: Partial<CreateExecution>): Promise<Execution> {
      const request = { params: { id }, headers: { prefer: "wait=30" }, body: { input: "where?", ...body }, key };
      return executionSchema.parse(expectStatus(await world.call("executeAgent", request), 201));
    }

    async function callsOf({ id }: Execution) {
      const list = await world.call("listToolCalls", { params: { id } });
      return pageSchema(toolCallRecordSchema).parse(expectStatus(list, 200)).data;
    }

    beforeAll(async () => {
      world = await startWorld(await configure());
      handler = await startHandler({ body: { result: "live" } });
      // No gateway of these tests has a key of this provider.
      const model = "anthropic/claude-sonnet-4";
      agentId = (await makeAgent(world, { model, tools: [toolAt()], webhookUrls: [handler.url] })).id;
      key = await keyWith({ recordings: true });
    }, 60_000);
    afterAll(() => world?.stop());

    it("takes replies and outcomes from it, and sends nothing", async () => {
      const usage = { inputTokens: 120, outputTokens: 8 };
      const modelTurns = [{ ...TWO_TURNS[0], usage }, { text: "It is packed." }];
      const execution = await run(agentId, { recording: { modelTurns, toolResults: [await resultOf(ORDER)] } });
      expect(execution).toMatchObject({
        status: "completed",
        mode: "recorded",
        output: { text: "It is packed." },
        usage: { inputTokens: 120, outputTokens: 8, toolCalls: 1 },
        cost: { usd: 0, credits: 0 },
      });
      expect(await callsOf(execution)).toMatchObject([
        { status: "completed", via: "recording", result: { status: "packed" }, attempts: [] },
      ]);
      expect(handler.calls).toEqual([]);
    });

    it("is in the list under its mode, and in its receipt", async () => {
      const recorded = await run(agentId, { recording: { modelTurns: [{ text: "Hello." }] } });
      const listed = async (query: Record<string, string>) => {
        const page = expectStatus(await world.call("listExecutions", { query: { agent: agentId, ...query } }), 200);
        return pageSchema(executionSchema)
          .parse(page)
          .data.map(({ id }) => id);
      };
      expect(await listed({ mode: "recorded" })).toContain(recorded.id);
      expect(await listed({ mode: "live" })).not.toContain(recorded.id);
      const receipt = await world.call("getReceipt", { params: { id: recorded.id } });
      expect(JSON.stringify(expectStatus(receipt, 200))).toContain("come from a recording; nothing is sent");
      expect(receipt.body).toMatchObject({ verified: true, isFinal: true });
    });

    it("gives a recorded error to the model", async () => {
      const error = { code: "ORDER_GONE", message: "the order was archived", hint: "ask for another order" };
      const { result: _, ...call } = await resultOf(ORDER);
      const execution = await run(agentId, { recording: { modelTurns: TWO_TURNS, toolResults: [{ ...call, error }] } });
      expect(execution.status).toBe("completed");
      expect(await callsOf(execution)).toMatchObject([
        { status: "failed", error: { ...error, source: "handler", outcome: "none", retryable: false } },
      ]);
    });

    it("distinguishes equal calls by their occurrence", async () => {
      const call = { name: "lookup", parameters: ORDER };
      const modelTurns = [{ toolCalls: [call, call] }, { toolCalls: [call] }, { text: "Done." }];
      const toolResults = await Promise.all(
        [3, 1, 2].map((occurrence) => resultOf(ORDER, { occurrence, result: occurrence })),
      );
      const calls = await callsOf(await run(agentId, { recording: { modelTurns, toolResults } }));
      expect(calls.map(({ result }) => result)).toEqual([1, 2, 3]);
    });

    it("ends with REPLAY_DIVERGED if a call is not in it, saying which and what was expected", async () => {
      const other = await resultOf({ orderId: "ORD-2" });
      const execution = await run(agentId, { recording: { modelTurns: TWO_TURNS, toolResults: [other] } });
      expect(execution).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
      const { message } = execution.error ?? { message: "" };
      expect(message).toContain("model turn 1, call 1: expected an outcome of lookup for the arguments sha256:");
      expect(message).toContain(`the recording has ${other.argumentsHash} (occurrence 1)`);
      expect(await callsOf(execution)).toMatchObject([{ status: "failed", error: { code: "REPLAY_DIVERGED" } }]);
      expect(handler.calls).toEqual([]);
    });

    it("ends with REPLAY_DIVERGED if a model turn is not in it", async () => {
      const recording = { modelTurns: TWO_TURNS.slice(0, 1), toolResults: [await resultOf(ORDER)] };
      expect(await run(agentId, { recording })).toMatchObject({
        status: "failed",
        error: {
          code: "REPLAY_DIVERGED",
          message: "model turn 2: expected a recorded reply, but the recording has 1 model turns",
        },
      });
    });

    it("fails with the recorded failure of a model turn", async () => {
      const modelTurns = [{ error: { code: "MODEL_ERROR", message: "overloaded" } }];
      const execution = await run(agentId, { recording: { modelTurns } });
      expect(execution).toMatchObject({ status: "failed", error: { code: "MODEL_ERROR", message: "overloaded" } });
    });

    it("is made from an ended execution, without secrets, and runs again as it is", async () => {
      const secret = "s3cr3t-value-of-a-test";
      const put = { params: { name: "SHOP" }, body: { value: secret } };
      await world.call("putSecret", put);
      const parameters = { orderId: `${secret}-1` };
      const modelTurns = [{ toolCalls: [{ name: "lookup", parameters }] }, { text: `It is ${secret}.` }];
      const toolResults = [await resultOf(parameters, { result: { [`${secret} key`]: [secret] } })];
      const caller = { token: secret };
      const original = await run(agentId, {
        input: `where is ${secret}?`,
        caller,
        recording: { modelTurns, toolResults },
      });
      const read = async (query: Record<string, string>) =>
        expectStatus(await world.call("getRecording", { params: { id: original.id }, query }), 200);
      const exported = await read({ include: "input,caller,metadata" });
      expect(JSON.stringify(exported)).not.toContain(secret);
      expect(exported).toMatchObject({ input: "where is ***SHOP***?", caller: { token: "***SHOP***" }, metadata: {} });
      const { recording, ...rest } = executionRecordingSchema.parse(await read({}));
      expect(rest).toEqual({ executionId: original.id });
      const again = await run(agentId, { recording });
      expect(again).toMatchObject({ status: "completed", output: { text: "It is ***SHOP***." } });
      expect((await callsOf(again))[0]?.result).toEqual({ "***SHOP*** key": ["***SHOP***"] });
    });

    it("is refused for a key that may not supply recordings", async () => {
      const body = { input: "hello", recording: { modelTurns: [{ text: "hi" }] } };
      for (const routing of [null, {}, { recordings: false }]) {
        const refused = await keyWith(routing);
        const answer = await world.call("executeAgent", { params: { id: agentId }, body, key: refused });
        expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
      }
    });

    it("is refused if the agent has changed since", async () => {
      const agent = { id: agentId, version: 1, hash: `sha256:${"0".repeat(64)}` };
      const body = { input: "hello", recording: { agent, modelTurns: [{ text: "hi" }] } };
      const answer = await world.call("executeAgent", { params: { id: agentId }, body, key });
      expect(answer).toMatchObject({ status: 409, body: { code: "CONFLICT", errors: [{ code: "AGENT_CHANGED" }] } });
    });

    const deep = (levels: number): Record<string, JsonValue> => (levels === 0 ? {} : { a: deep(levels - 1) });

    it.each<[string, () => Promise<object>, string, string]>([
      ["no model turn", async () => ({ modelTurns: [] }), "recording.modelTurns", "TOO_SMALL"],
      [
        "a result that is nested too deeply",
        async () => ({ modelTurns: TWO_TURNS, toolResults: [await resultOf(ORDER, { result: deep(100) })] }),
        "recording.toolResults.0",
        "TOO_DEEP",
      ],
      [
        "too much text",
        async () => ({ modelTurns: Array.from({ length: 4 }, () => ({ text: "x".repeat(900_000) })) }),
        "recording",
        "TOO_LARGE",
      ],
      [
        "two outcomes of one call",
        async () => ({ modelTurns: TWO_TURNS, toolResults: [await resultOf(ORDER), await resultOf(ORDER)] }),
        "recording.toolResults[1]",
        "DUPLICATE",
      ],
      [
        "an outcome that is both",
        async () => ({
          modelTurns: TWO_TURNS,
          toolResults: [{ ...(await resultOf(ORDER)), error: { code: "A", message: "b" } }],
        }),
        "recording.toolResults[0]",
        "INVALID_VALUE",
      ],
      [
        "a hash that is none",
        async () => ({ modelTurns: TWO_TURNS, toolResults: [await resultOf(ORDER, { argumentsHash: "sha256:abc" })] }),
        "recording.toolResults[0].argumentsHash",
        "INVALID_FORMAT",
      ],
      ["a script next to it", async () => ({ modelTurns: TWO_TURNS, script: true }), "script", "NOT_APPLICABLE"],
    ])("is refused with %s", async (_name, make, path, code) => {
      const { script, ...recording } = { script: undefined, ...(await make()) };
      const body = {
        input: "hello",
        recording,
        ...(script === undefined ? {} : { script: { turns: [{ text: "a" }] } }),
      };
      const answer = await world.call("executeAgent", { params: { id: agentId }, body, key });
      expect(answer.status).toBe(422);
      expect(problemOf(answer).errors).toContainEqual(
        expect.objectContaining({ path: expect.stringContaining(path), code }),
      );
    });

    it("is refused with a member __proto__", async () => {
      const text = `{"input":"a","recording":{"modelTurns":[{"text":"a"}],"toolResults":[{"__proto__":{"name":"x"}}]}}`;
      const response = await fetch(`${world.url}/v1/agents/${agentId}/executions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: text,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "MALFORMED_JSON", errors: [{ code: "FORBIDDEN_KEY" }] });
    });
  });
}

describeRecordings("on SQLite", async () => ({}));
describe.skipIf(!hasPostgres())("with a server", () => {
  describeRecordings("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});

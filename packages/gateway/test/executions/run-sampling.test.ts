import type { AskModel } from "@yagate/builtins/ask-model";
import { AskModelError } from "@yagate/builtins/ask-model";
import type { BuiltinContext, BuiltinTool } from "@yagate/builtins/builtin-tool";
import { createModels } from "@yagate/models/create-models";
import { mostTokens } from "@yagate/models/prices/most-cost";
import type { ExecutionRequest, Limits } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import {
  ANSWER_COST_USD,
  type AnsweringModel,
  type AskedRequest,
  type ModelAnswer,
  startAnsweringModel,
} from "../../../models/test/support/answering-model.ts";
import { createCommands } from "../../src/executions/service/commands.ts";
import { openRunWorld, type RunWorld } from "./run-world.ts";

const nothing = () => {};
const NAME = "text_summarizer";
const QUESTION = { instructions: "Say yes.", text: "Is it?" };
const YES: ModelAnswer = { content: { text: "yes", end: "complete" } };
const BUSY: ModelAnswer = { status: 429, headers: { "retry-after-ms": "5" } };

const opened: AnsweringModel[] = [];
afterEach(async () => {
  for (const model of opened.splice(0)) await model.stop();
});

/** A tool that asks the model whatever a test wants. */
function askingTool(
  execute: (ask: AskModel | undefined, context: BuiltinContext) => Promise<unknown>,
  timeoutMs = 10_000,
): BuiltinTool {
  return {
    name: NAME,
    description: "Asks the model of its agent.",
    parameters: { type: "object" },
    sideEffect: "read_only",
    kind: "compute",
    isConfigured: true,
    asksModel: true,
    timeoutMs,
    async execute(_parameters, context) {
      try {
        return { result: await execute(context.askModel, context) };
      } catch (error) {
        if (!(error instanceof AskModelError)) throw error;
        return { error: { code: error.code, message: error.message } };
      }
    },
  };
}

function ask(times: number) {
  return async (askModel: AskModel | undefined) => {
    const replies: string[] = [];
    for (let count = 0; count < times; count += 1) replies.push((await askModel?.(QUESTION))?.text ?? "no model");
    return replies;
  };
}

interface Asking {
  readonly tool: BuiltinTool;
  readonly answer?: (question: AskedRequest, index: number) => ModelAnswer | "hold";
  readonly calls?: number;
  readonly request?: Partial<ExecutionRequest>;
}

async function startModel(parts: Partial<Parameters<typeof startAnsweringModel>[0]> = {}): Promise<AnsweringModel> {
  const model = await startAnsweringModel({ calls: [], answer: () => YES, ...parts });
  opened.push(model);
  return model;
}

const QUESTION_SIZE = {
  inputBytes: Buffer.byteLength(QUESTION.instructions + QUESTION.text),
  maxOutputTokens: 4_096,
};

/** Its answers are short, and might be long. */
async function mostCostOfQuestion(): Promise<number> {
  const { model } = await startModel();
  return createModels({ providers: {}, fetch }).mostCostOf(model, QUESTION_SIZE) ?? 0;
}

async function begin({ tool, answer = () => YES, calls = 1, request = {} }: Asking) {
  const called = Array.from({ length: calls }, () => ({ name: NAME, parameters: {} }));
  const model = await startModel({ calls: called, answer });
  const world = await openRunWorld({ providers: model.providers, builtins: [tool] });
  const execution = await world.create([{ builtin: NAME }], [], { model: model.model, ...request });
  return { model, world, execution };
}

async function run(asking: Asking) {
  const { model, world, execution } = await begin(asking);
  await world.start(execution, false, nothing).done;
  return { model, world, ...(await recordOf(world, execution.id)) };
}

async function recordOf(world: RunWorld, id: string) {
  const events = await world.events(id);
  const row = await world.eventStore.find(id, "ws_1");
  const ends = events.filter(({ type }) => type === "tool_call.completed" || type === "tool_call.failed");
  return { events, row, ends };
}

describe("a tool that calls the agent's model", () => {
  it("gets a reply to its question alone, which the execution pays for", async () => {
    const { model, world, row, ends } = await run({
      tool: askingTool(async (askModel) => askModel?.({ ...QUESTION, maxOutputTokens: 99 })),
    });
    expect(model.questions).toMatchObject([
      { system: "Say yes.", text: "Is it?", hasTools: false, messages: 1, maxTokens: 99 },
    ]);
    expect(ends).toMatchObject([
      {
        type: "tool_call.completed",
        result: { text: "yes", isCut: false },
        cost: { usd: ANSWER_COST_USD, credits: 0 },
        modelCalls: [
          {
            model: model.model,
            requests: 1,
            usage: { inputTokens: 11, outputTokens: 7 },
            cost: { usd: ANSWER_COST_USD, credits: 0 },
            finishReason: "stop",
          },
        ],
      },
    ]);
    // Two turns and a question.
    expect(row).toMatchObject({
      status: "completed",
      usage: { inputTokens: 33, outputTokens: 21, toolCalls: 1 },
      cost: { usd: 3 * ANSWER_COST_USD },
    });
    expect(row?.cost.isPartial).toBeUndefined();
    expect(world.errors).toEqual([]);
  });

  it("learns that a reply was cut off", async () => {
    const { ends } = await run({
      tool: askingTool(async (askModel) => askModel?.(QUESTION)),
      answer: () => ({ content: { text: "ye", end: "length" } }),
    });
    expect(ends).toMatchObject([{ result: { text: "ye", isCut: true }, modelCalls: [{ finishReason: "length" }] }]);
  });

  it("learns that the model refused", async () => {
    const { ends } = await run({ tool: askingTool(ask(1)), answer: () => ({ content: { end: "refused" } }) });
    expect(ends).toMatchObject([
      {
        error: { code: "MODEL_ERROR", message: "the model refused to answer" },
        modelCalls: [{ finishReason: "refused" }],
      },
    ]);
  });

  it("does not notice that the request was retried", async () => {
    const { model, ends } = await run({
      tool: askingTool(ask(1)),
      answer: (_question, index) => (index < 2 ? BUSY : YES),
    });
    expect(model.questions).toHaveLength(3);
    expect(ends).toMatchObject([{ result: ["yes"], modelCalls: [{ requests: 3, finishReason: "stop" }] }]);
  });

  it.each<[string, ModelAnswer, number]>([
    ["a refusal is not repeated", { status: 400 }, 1],
    ["an overload is, four times", BUSY, 5],
    ["a pause past the call's end is not made", { status: 429, headers: { "retry-after": "30" } }, 1],
  ])("%s", async (_name, answer, requests) => {
    const { model, ends, row } = await run({ tool: askingTool(ask(1)), answer: () => answer });
    expect(model.questions).toHaveLength(requests);
    expect(ends).toMatchObject([
      {
        type: "tool_call.failed",
        error: { code: "MODEL_ERROR" },
        modelCalls: [{ requests, error: { code: "MODEL_ERROR" } }],
      },
    ]);
    expect(row).toMatchObject({ status: "completed", usage: { inputTokens: 22, outputTokens: 14 } });
  });

  it("is charged for its samples when it fails afterwards", async () => {
    const { ends, row } = await run({
      tool: askingTool(async (askModel) => {
        await askModel?.(QUESTION);
        throw new AskModelError("MODEL_ERROR", "this is no summary");
      }),
    });
    expect(ends).toMatchObject([
      { type: "tool_call.failed", cost: { usd: ANSWER_COST_USD }, modelCalls: [{ finishReason: "stop" }] },
    ]);
    expect(row).toMatchObject({ cost: { usd: 3 * ANSWER_COST_USD }, usage: { inputTokens: 33 } });
  });

  it("fails beyond 200 samples", async () => {
    const { model, ends } = await run({ tool: askingTool(ask(201), 60_000) });
    expect(model.questions).toHaveLength(200);
    expect(ends).toMatchObject([{ error: { code: "BUDGET_EXCEEDED" }, modelCalls: { length: 200 } }]);
  });

  it("may wait for less than all of its time", async () => {
    const { ends } = await run({
      tool: askingTool(async (askModel) => askModel?.({ ...QUESTION, timeoutMs: 30 })),
      answer: () => "hold",
    });
    expect(ends).toMatchObject([
      {
        error: { code: "MODEL_ERROR", message: "the model did not reply within 30 ms" },
        modelCalls: [{ error: { code: "MODEL_ERROR" }, cost: { usd: 0, isPartial: true } }],
      },
    ]);
  });

  it("has its sample aborted when its own time is over, at an unknown cost", async () => {
    const { model, ends, row } = await run({ tool: askingTool(ask(1), 100), answer: () => "hold" });
    expect(ends).toMatchObject([
      {
        error: { code: "TIMEOUT" },
        cost: { usd: 0, isPartial: true },
        modelCalls: [{ error: { code: "CANCELLED" }, requests: 1 }],
      },
    ]);
    expect(row?.cost).toMatchObject({ usd: 2 * ANSWER_COST_USD, isPartial: true });
    await expect.poll(() => model.abandoned).toBe(1);
  });
});

describe("what tools may spend on the model", () => {
  it.each<[string, (mostUsd: number) => number, number]>([
    ["none with nothing to spend", () => 0, 0],
    ["none with less than one may cost", (mostUsd) => 0.99 * mostUsd, 0],
    ["one with what one may cost", (mostUsd) => mostUsd, 1],
    ["another one with what is left of that, and what it may cost", (mostUsd) => mostUsd + ANSWER_COST_USD, 2],
    ["all with enough", () => 1, 5],
  ])("%s", async (_name, limit, answered) => {
    const mostUsd = await mostCostOfQuestion();
    expect(mostUsd).toBeGreaterThan(2 * ANSWER_COST_USD);
    const maxToolCostUsd = limit(mostUsd);
    const { model, ends, row } = await run({ tool: askingTool(ask(5)), request: { limits: { maxToolCostUsd } } });
    expect(model.questions).toHaveLength(answered);
    expect(row?.stopReason).toBe("final");
    expect(ends).toHaveLength(1);
    if (answered === 5) expect(ends).toMatchObject([{ result: { length: 5 } }]);
    else
      expect(ends).toMatchObject([
        { error: { code: "BUDGET_EXCEEDED", message: expect.stringMatching(/; no request was sent to the model$/) } },
      ]);
  });

  it.each<[keyof Limits, (most: { usd: number; tokens: number }) => number, number]>([
    ["maxCostUsd", ({ usd }) => ANSWER_COST_USD + 0.99 * usd, 0],
    ["maxCostUsd", ({ usd }) => ANSWER_COST_USD + usd, 1],
    ["maxCostUsd", ({ usd }) => 2 * ANSWER_COST_USD + usd, 2],
    ["maxTotalTokens", ({ tokens }) => 18 + tokens - 1, 0],
    ["maxTotalTokens", ({ tokens }) => 18 + tokens, 1],
    ["maxTotalTokens", ({ tokens }) => 2 * 18 + tokens, 2],
  ])("is what the model has left of the whole execution's: %s", async (limit, valueFrom, answered) => {
    const tokens = mostTokens(QUESTION_SIZE);
    const limits = { [limit]: valueFrom({ usd: await mostCostOfQuestion(), tokens }) };
    const { model, ends, row } = await run({ tool: askingTool(ask(5)), request: { limits } });
    expect(model.questions).toHaveLength(answered);
    expect(ends).toMatchObject([
      { error: { code: "BUDGET_EXCEEDED", message: expect.stringMatching(/; no request was sent to the model$/) } },
    ]);
    expect(row?.stopReason).toBe("final");
  });

  it("applies to all calls of the execution together, running samples included, and is never exceeded", async () => {
    const maxToolCostUsd = 3.5 * (await mostCostOfQuestion());
    const { model, row, ends } = await run({
      tool: askingTool(async (askModel) => {
        const asked = await Promise.allSettled(Array.from({ length: 5 }, () => askModel?.(QUESTION)));
        return asked.map((one) => (one.status === "rejected" ? one.reason.code : "answered"));
      }),
      calls: 2,
      request: { limits: { maxToolCostUsd } },
    });
    expect(model.questions.length).toBeGreaterThan(0);
    expect(model.questions.length).toBeLessThan(10);
    expect(row?.cost.usd).toBeLessThanOrEqual(maxToolCostUsd);
    expect(row).toMatchObject({ stopReason: "final" });
    expect(JSON.stringify(ends)).toContain("BUDGET_EXCEEDED");
  });

  it("records the samples of a call when the execution reaches its time limit", async () => {
    const { ends, row } = await run({
      tool: askingTool(ask(2)),
      answer: (_question, index) => (index === 0 ? YES : "hold"),
      request: { limits: { maxWallTimeMs: 1_000 } },
    });
    expect(row).toMatchObject({ stopReason: "maxWallTimeMs", cost: { usd: 2 * ANSWER_COST_USD, isPartial: true } });
    expect(ends).toMatchObject([{ modelCalls: [{ finishReason: "stop" }, { error: { code: "CANCELLED" } }] }]);
  });

  it("records them when the execution is cancelled, too, and aborts the sample", async () => {
    const { model, world, execution } = await begin({
      tool: askingTool(ask(2)),
      answer: (_question, index) => (index === 0 ? YES : "hold"),
    });
    const done = world.start(execution, false, nothing).done;
    await model.asked(2);
    await createCommands({ eventStore: world.eventStore, now: Date.now }).apply(execution.id, { type: "cancel" });
    await done;
    const { row, ends } = await recordOf(world, execution.id);
    expect(row).toMatchObject({ status: "cancelled", cost: { usd: 2 * ANSWER_COST_USD, isPartial: true } });
    expect(ends).toMatchObject([
      { error: { code: "CANCELLED" }, modelCalls: [{ finishReason: "stop" }, { error: { code: "CANCELLED" } }] },
    ]);
    await expect.poll(() => model.abandoned).toBe(1);
  });
});

it("a sample is requested again after a crash, and the cost of the first one is unknown", async () => {
  const { model, world, execution } = await begin({
    tool: askingTool(ask(1)),
    answer: (_question, index) => (index === 0 ? "hold" : YES),
  });
  const first = world.start(execution, false, nothing);
  await model.asked(1);
  first.abort();
  await first.done;
  await world.start(await world.claim(), true, nothing).done;
  const { events, row, ends } = await recordOf(world, execution.id);
  expect(model.questions).toHaveLength(2);
  expect(events.find(({ type }) => type === "execution.waiting")).toMatchObject({ isCostUnknown: true });
  expect(ends).toMatchObject([{ result: ["yes"], modelCalls: { length: 1 }, cost: { usd: ANSWER_COST_USD } }]);
  expect(row).toMatchObject({ status: "completed", cost: { usd: 3 * ANSWER_COST_USD, isPartial: true } });
});

describe("a scripted model", () => {
  const turns = [{ toolCalls: [{ name: NAME, parameters: {} }] }, { text: "done" }];

  async function play(answers: string[] | undefined, times: number) {
    const world = await openRunWorld({ builtins: [askingTool(ask(times))] });
    const script = { turns, ...(answers === undefined ? {} : { answers }) };
    const execution = await world.create([{ builtin: NAME }], [], { script });
    await world.start(execution, false, nothing).done;
    return recordOf(world, execution.id);
  }

  it("can't reply to tools", async () => {
    const { ends } = await play(undefined, 1);
    expect(ends).toMatchObject([{ result: ["no model"] }]);
    expect(ends[0]).not.toHaveProperty("modelCalls");
  });

  it("replies as its script says, and costs nothing", async () => {
    const { ends, row } = await play(["first", "second"], 2);
    expect(ends).toMatchObject([{ result: ["first", "second"], modelCalls: { length: 2 }, cost: { usd: 0 } }]);
    expect(row?.cost).toEqual({ usd: 0, credits: 0 });
  });

  it("has no reply past the last one", async () => {
    const { ends } = await play(["first"], 2);
    expect(ends).toMatchObject([
      { error: { code: "MODEL_ERROR", message: "the script has no reply for model call 2 of a tool" } },
    ]);
  });
});

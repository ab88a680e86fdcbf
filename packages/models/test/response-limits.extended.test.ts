import type { LanguageModelV4Content } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import { createPartBounds } from "../src/part-bounds.ts";
import type { ModelTurn, ModelTurnError } from "../src/port.ts";
import { turnRequest } from "./support/turn-request.ts";

const MEBIBYTE = 1_048_576;

type Ending = { readonly turn: ModelTurn } | { readonly error: ModelTurnError };

/** What a turn makes of these bytes, and whether somebody read them to their end. */
async function answerOf(
  body: string,
  form: { readonly model?: string; readonly isStreamed: boolean; readonly status?: number },
): Promise<{ readonly ending: Ending; readonly isReadToItsEnd: boolean }> {
  const bytes = new TextEncoder().encode(body);
  let sent = 0;
  let isReadToItsEnd = false;
  const fetch = async () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            if (sent >= bytes.byteLength) {
              isReadToItsEnd = true;
              return controller.close();
            }
            controller.enqueue(bytes.slice(sent, sent + 65_536));
            sent += 65_536;
          },
        },
        { highWaterMark: 0 },
      ),
      { status: form.status ?? 200 },
    );
  const providers = {
    house: { baseUrl: "http://house.example/v1" },
    anthropic: { apiKey: "sk-ant-test" },
    openai: { apiKey: "sk-test" },
  };
  const models = createModels({ providers, fetch });
  const listener = form.isStreamed ? { onTextDelta: () => {} } : {};
  const ending = await models.runTurn(turnRequest({ model: form.model ?? "house/m", ...listener })).then(
    (turn): Ending => ({ turn }),
    (error): Ending => ({ error }),
  );
  return { ending, isReadToItsEnd };
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const piece = (delta: object, rest: object = {}) => event({ choices: [{ index: 0, delta }], ...rest });
const END = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const whole = (message: object, rest: object = {}) =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], ...rest });
const list = (count: number, entry: unknown = 1) => Array.from({ length: count }, () => entry);
const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
const call = (args: string, index = 0) => ({
  index,
  id: `call_${index}`,
  type: "function",
  function: { name: "shipping_quote", arguments: args },
});

const TEXT = "a".repeat(8 * MEBIBYTE - 500);
const MORE = "a".repeat(1_000);

describe.each([false, true])("an answer of a model server, streamed: %j", (isStreamed) => {
  const say = (message: object, rest?: object) => (isStreamed ? piece(message, rest) + END : whole(message, rest));
  const withMore = (json: string) => say({ content: "hi" }, { more: 0 }).replace('"more":0', `"more":${json}`);

  it.each<[string, () => string]>([
    ["8 MiB", () => say({ content: TEXT })],
    ["10 000 containers", () => withMore(JSON.stringify(list(9_900, {})))],
    ["100 000 values", () => withMore(JSON.stringify(list(99_000)))],
    ["512 levels", () => withMore(nested(510))],
    ["the agent's tools again, whatever they are", () => say({ content: "hi" }, { tools: list(30_000, {}) })],
    ["a text that looks like containers", () => say({ content: '\\"[{'.repeat(100_000) })],
    ["1000 calls", () => say({ tool_calls: Array.from({ length: 1_000 }, (_call, index) => call("{}", index)) })],
    ["calls with 10 000 containers", () => say({ tool_calls: [call(JSON.stringify({ a: list(9_900, {}) }))] })],
  ])("with %s is read", async (_what, body) => {
    const { ending, isReadToItsEnd } = await answerOf(body(), { isStreamed });
    expect(ending).toMatchObject({ turn: {} });
    expect(isReadToItsEnd).toBe(true);
  });

  it.each<[string, RegExp, () => string]>([
    ["8 MiB", /8388608 bytes/, () => say({ content: TEXT + MORE })],
    ["10 000 containers", /10000 objects and arrays/, () => withMore(JSON.stringify(list(10_100, {})))],
    ["100 000 values", /100000 values/, () => withMore(JSON.stringify(list(100_100)))],
    ["512 levels", /512 levels/, () => withMore(nested(513))],
    ["10 000 containers behind some tools", /10000 objects/, () => say({}, { tools: [{}], more: list(10_100, {}) })],
    [
      "10 000 containers in tools of its own",
      /10000 objects/,
      () => withMore(JSON.stringify({ a: { b: { tools: list(10_100, {}) } } })),
    ],
    [
      "1000 calls",
      /more than 1000 tool calls/,
      () => say({ tool_calls: Array.from({ length: 1_001 }, (_call, index) => call("{}", index)) }),
    ],
    [
      "calls with 10 000 containers",
      /10000 objects and arrays in the input/,
      () => say({ tool_calls: [call(JSON.stringify(list(6_000, {}))), call(JSON.stringify(list(6_000, {})), 1)] }),
    ],
    [
      "calls with 100 000 values",
      /100000 values in the input/,
      () => say({ tool_calls: [call(JSON.stringify(list(100_100)))] }),
    ],
  ])("with more than %s fails", async (what, message, body) => {
    const { ending, isReadToItsEnd } = await answerOf(body() + " ".repeat(MEBIBYTE), { isStreamed });
    expect(ending).toMatchObject({
      error: { code: "MODEL_ERROR", isRetryable: false, message: expect.stringMatching(message) },
    });
    // What is called is known when all of it is there.
    expect(isReadToItsEnd).toBe(what.includes("calls") && !(isStreamed && what === "1000 calls"));
  });
});

describe.each([false, true])("at a limit an answer is read, and one past it fails, streamed: %j", (isStreamed) => {
  const END_OF_TURN = isStreamed ? END : "";
  const answerWith = (more: string) => {
    const message = { content: "hi" };
    const text = isStreamed ? piece(message, { more: 0 }) : whole(message, { more: 0 });
    return text.replace('"more":0', `"more":${more}`);
  };
  const containersIn = (json: string) => json.match(/[[{]/g)?.length ?? 0;
  /** Counted as the gateway does, without parsing: a container and the last value in it are one. */
  const valuesIn = (json: string) => json.match(/[[{,]/g)?.length ?? 0;

  it.each<[string, number, (size: number) => string]>([
    ["containers", 10_000, (size) => answerWith(JSON.stringify(list(size - containersIn(answerWith("[]")), {})))],
    ["values", 100_000, (size) => answerWith(JSON.stringify(list(size + 1 - valuesIn(answerWith("[]")))))],
    ["levels", 512, (size) => answerWith(nested(size - 1))],
    ["bytes", 8 * MEBIBYTE, (size) => answerWith(`"${"a".repeat(size - answerWith('""').length)}"`)],
  ])("%s: %i", async (_what, limit, bodyOf) => {
    const endings: string[] = [];
    for (const size of [limit, limit + 1]) {
      const { ending } = await answerOf(bodyOf(size) + END_OF_TURN, { isStreamed });
      endings.push(...Object.keys(ending));
    }
    expect(endings).toEqual(["turn", "error"]);
  });
});

it("a stream of 500,000 chunks is read", async () => {
  const own = [piece({ content: "hi" }), END];
  const body = ":\n\n".repeat(500_000 - own.length) + own.join("");
  expect((await answerOf(body, { isStreamed: true })).ending).toMatchObject({ turn: { text: "hi" } });
});

describe("the parts of a reply", () => {
  const partsTaken = (part: LanguageModelV4Content, count: number) => {
    const bounds = createPartBounds("house");
    for (let index = 0; index < count; index += 1) bounds(part);
    return () => bounds(part);
  };

  it("are up to 5,000 texts, results and sources", () => {
    expect(partsTaken({ type: "text", text: "hi" }, 4_999)).not.toThrow();
    expect(partsTaken({ type: "text", text: "hi" }, 5_000)).toThrow(/5000 parts/);
  });

  it("have up to 10,000 objects and arrays, and 100,000 values, in the input of calls", () => {
    const callOf = (input: unknown): LanguageModelV4Content => ({
      type: "tool-call",
      toolCallId: "a",
      toolName: "shipping_quote",
      input: JSON.stringify(input),
    });
    expect(partsTaken(callOf(list(9_999, {})), 0)).not.toThrow();
    expect(partsTaken(callOf(list(10_000, {})), 0)).toThrow(/10000 objects and arrays/);
    expect(partsTaken(callOf(list(100_000)), 0)).not.toThrow();
    expect(partsTaken(callOf(list(100_001)), 0)).toThrow(/100000 values/);
  });
});

describe("a streamed answer", () => {
  it.each<[string, RegExp, () => string]>([
    ["8 MiB of text in all", /8388608 characters/, () => piece({ content: "a".repeat(MEBIBYTE) }).repeat(9)],
    [
      "8 MiB of arguments in all",
      /8388608 characters/,
      () =>
        piece({ tool_calls: [call("")] }) +
        piece({ tool_calls: [{ index: 0, function: { arguments: "a".repeat(MEBIBYTE) } }] }).repeat(9),
    ],
    ["500 000 chunks", /500000 chunks/, () => ":\n\n".repeat(500_001)],
    [
      "1000 calls, piece by piece",
      /more than 1000 tool calls/,
      () => Array.from({ length: 2_000 }, (_call, index) => piece({ tool_calls: [call("{}", index)] })).join(""),
    ],
    [
      "10 000 containers in one chunk of several lines",
      /10000 objects/,
      () => `data: {"more":[{}\n${"data: ,{}\n".repeat(10_100)}data: ]}\n\n`,
    ],
    [
      "10 000 containers behind a comment that speaks of tools",
      /10000 objects/,
      () => `: "tools":[\n${piece({ content: "hi" }, { more: list(10_100, {}) })}`,
    ],
    ["8 MiB of comments", /8388608 bytes/, () => ":\n".repeat(4.1 * MEBIBYTE)],
  ])("with more than %s fails, and the rest of it is not read", async (_what, message, body) => {
    const rest = ":\n\n".repeat(MEBIBYTE / 4);
    const { ending, isReadToItsEnd } = await answerOf(body() + rest, { isStreamed: true });
    expect(ending).toMatchObject({
      error: { code: "MODEL_ERROR", isRetryable: false, message: expect.stringMatching(message) },
    });
    expect(isReadToItsEnd).toBe(false);
  });

  it.each(["\n", "\r\n", "\r"])("may be as large as many pieces are, with lines that end in %j", async (end) => {
    const one = piece({ content: "hello " }, { more: list(50, {}) }).replaceAll("\n", end);
    const { ending } = await answerOf(`${one.repeat(1_000)}${END.replaceAll("\n", end)}: end\n`, { isStreamed: true });
    expect(ending).toMatchObject({ turn: { text: "hello ".repeat(1_000) } });
  });
});

it("of an error no more is read than what it says", async () => {
  const body = JSON.stringify({ error: { message: "slow down", code: "rate_limit" } });
  const short = await answerOf(body, { isStreamed: false, status: 429 });
  expect(short.ending).toMatchObject({ error: { isRetryable: true, message: expect.stringContaining("slow down") } });
  const long = await answerOf(body + " ".repeat(MEBIBYTE), { isStreamed: true, status: 429 });
  expect(long.ending).toMatchObject({ error: { isRetryable: true, message: expect.stringContaining("slow down") } });
  expect(long.isReadToItsEnd).toBe(false);
});

describe("input of a call that is nested too deeply", () => {
  const objects = (depth: number) => `{"options":${'{"a":'.repeat(depth)}"{["${"}".repeat(depth)}}`;

  it.each([50, 2_000, 20_000])("%i levels: it is a call, cut where no tool would take it", async (depth) => {
    for (const isStreamed of [true, false]) {
      const calls = { tool_calls: [call(objects(depth)), call('{"city":"Oslo"}', 1)] };
      const body = isStreamed ? piece(calls) + END : whole(calls);
      const { ending } = await answerOf(body, { isStreamed });
      const expected = depth < 100 ? objects(depth) : `{"options":${'{"a":'.repeat(99)}null${"}".repeat(100)}`;
      const parameters = "turn" in ending ? ending.turn.toolCalls.map((made) => made.parameters) : [];
      expect(JSON.stringify(parameters)).toBe(`[${expected},{"city":"Oslo"}]`);
    }
  });

  const anthropic = (content: object, input: string) =>
    JSON.stringify({
      type: "message",
      id: "msg_1",
      model: "claude",
      role: "assistant",
      content: [content],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    }).replace('"INPUT"', input);

  it.each<[string, object]>([
    ["a tool", { type: "tool_use", id: "a", name: "shipping_quote", input: "INPUT" }],
    ["the provider's search", { type: "server_tool_use", id: "a", name: "web_search", input: "INPUT" }],
  ])("of %s, as Anthropic writes it: it is cut, or the answer fails", async (_whose, content) => {
    const form = { model: "claude-sonnet-4-5", isStreamed: false };
    expect((await answerOf(anthropic(content, objects(400)), form)).ending).toMatchObject({ turn: {} });
    for (const depth of [3_500, 20_000]) {
      expect((await answerOf(anthropic(content, objects(depth)), form)).ending).toMatchObject({
        error: { code: "MODEL_ERROR", message: expect.stringContaining("512 levels") },
      });
    }
  });
});

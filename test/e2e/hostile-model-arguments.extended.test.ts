import { describe, expect, it } from "vitest";
import { openHostileWorld, toldLast } from "./support/hostile-world.ts";
import type { WireCall } from "./support/model-server.ts";
import { toolAt } from "./support/services.ts";

const call = (args: string, rest: Partial<WireCall> = {}): WireCall => ({
  name: "lookup_order",
  arguments: args,
  ...rest,
});
const GOOD = '{"orderId":"ORD-1"}';
const DONE = { text: "done" };

const PARAMETERS = {
  type: "object",
  properties: {
    orderId: { type: "string" },
    email: { type: "string", format: "email" },
    speed: { enum: ["standard", "express"] },
    options: { type: "object" },
  },
  required: ["orderId"],
  additionalProperties: false,
} as const;

/** Objects in objects, so many deep, as text. */
const nested = (depth: number) => `{"orderId":"ORD-1","options":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;

describe.each([true, false])("a model that writes arguments which do not fit, streamed: %j", (isStreamed) => {
  it.each<[string, string, RegExp]>([
    ["a wrong type", '{"orderId":1}', /orderId/],
    ["a missing field", "{}", /orderId/],
    ["a field that nobody asked for", '{"orderId":"ORD-1","admin":true}', /admin/],
    ["a value outside an enum", '{"orderId":"ORD-1","speed":"warp"}', /speed/],
    ["a wrong format", '{"orderId":"ORD-1","email":"nobody"}', /email/],
    ["an array", "[]", /object/],
    ["a text", '"ORD-1"', /object/],
    ["null, which is no arguments", "null", /orderId is required/],
    ["words", "the order is ORD-1", /JSON object/],
    ["JSON that is cut off", '{"orderId":"ORD', /ends too early/],
    ["JSON with words behind it", `${GOOD} as you asked`, /JSON object/],
    ["two objects", `${GOOD}${GOOD}`, /JSON object/],
    ["single quotes", "{'orderId':'ORD-1'}", /JSON object/],
    ["NaN", '{"orderId":NaN}', /JSON object/],
    ["a number that is none", '{"orderId":1e999}', /JSON|orderId/],
    ["a __proto__", '{"orderId":"ORD-1","__proto__":{"admin":true}}', /__proto__/],
    ["a __proto__ in the depth", '{"orderId":"ORD-1","options":{"a":[{"__proto__":{}}]}}', /__proto__/],
    ["a __proto__ in disguise", '{"orderId":"ORD-1","\\u005f_proto__":{}}', /__proto__/],
    ["a constructor", '{"orderId":"ORD-1","options":{"constructor":{"prototype":{}}}}', /constructor/],
    ["a constructor with nothing in it", '{"orderId":"ORD-1","options":{"constructor":1}}', /constructor/],
    ["a prototype", '{"orderId":"ORD-1","options":{"prototype":{}}}', /prototype/],
    ["65 levels", nested(64), /deep/],
    [
      "2000 arrays in a field that takes them",
      `{"orderId":"ORD-1","options":{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}}`,
      /deep/,
    ],
    ["10 000 levels", nested(10_000), /deep/],
    ["10 000 arrays", `{"orderId":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, /deep/],
    ["100 000 levels", nested(100_000), /deep/],
    ["2 MB", `{"orderId":"${"x".repeat(2_000_000)}"}`, /1048576/],
    ["2 MB of broken JSON", `{"orderId":"${"x".repeat(2_000_000)}`, /ends too early/],
  ])("such as %s is told so, and nothing is sent", async (_name, args, told) => {
    const world = await openHostileWorld([{ calls: [call(args)] }, DONE]);
    const tools = [toolAt(world.service.url, { parameters: PARAMETERS })];
    const { status, output, toolCalls } = await world.ask({}, { tools }, { isStreamed });
    expect({ status, output }).toEqual({ status: "completed", output: { text: "done" } });
    expect(toolCalls).toMatchObject([
      {
        name: "lookup_order",
        status: "failed",
        attempts: [],
        error: { code: "INVALID_ARGUMENTS", source: "gateway", outcome: "none", retryable: true },
      },
    ]);
    expect(toldLast(world.model)).toEqual([expect.stringMatching(told)]);
    expect(world.service.calls).toEqual([]);
    // What could not be used is kept as far as it can be read, and not sent around whole for ever.
    const [, second] = world.model.requests;
    expect(JSON.stringify(toolCalls[0]?.parameters ?? null).length).toBeLessThan(100_000);
    expect(second?.text.length).toBeLessThan(200_000);
  });

  it("corrects them, and its tool runs", async () => {
    const world = await openHostileWorld([{ calls: [call("{}")] }, { calls: [call(GOOD)] }, DONE]);
    const { toolCalls } = await world.ask({}, {}, { isStreamed });
    expect(toolCalls.map(({ status }) => status)).toEqual(["failed", "completed"]);
    expect(world.service.calls).toHaveLength(1);
  });
});

describe.each([true, false])("a model that writes odd arguments, streamed: %j", (isStreamed) => {
  const sent = async (args: string) => {
    const world = await openHostileWorld([{ calls: [call(args)] }, DONE]);
    const { toolCalls } = await world.ask({}, {}, { isStreamed });
    const [arrived] = world.service.calls;
    return { record: toolCalls[0]?.parameters, body: JSON.parse(arrived?.body.toString() ?? "{}"), world };
  };

  it("with a key twice: the last one is checked, recorded and sent", async () => {
    const { record, body } = await sent('{"orderId":1,"orderId":"ORD-2"}');
    expect(record).toEqual({ orderId: "ORD-2" });
    expect(body.parameters).toEqual({ orderId: "ORD-2" });
  });

  it.each<[string, string]>([
    ["NUL", "a\u0000b"],
    ["half a character", "a\ud800b"],
    ["line separators", "a\u2028\u2029b"],
    ["text that runs backwards", "a\u202egnp.exe"],
    ["emoji", "👩‍👩‍👧‍👦"],
    ["quotes and line breaks", "\"\\\r\n'</script>"],
  ])("with %s: they arrive as they were written", async (_name, orderId) => {
    const { record, body, world } = await sent(JSON.stringify({ orderId }));
    expect(record).toEqual({ orderId });
    expect(body.parameters).toEqual({ orderId });
    expect(toldLast(world.model)).toEqual(['"shipped"']);
  });

  it("of a megabyte that fits: they are sent and recorded whole", async () => {
    const orderId = "x".repeat(1_000_000);
    const { record, body } = await sent(JSON.stringify({ orderId }));
    expect(record).toEqual({ orderId });
    expect(body.parameters).toEqual({ orderId });
  });

  it.each(["", "   "])("that are missing (%j): they are none", async (args) => {
    const world = await openHostileWorld([{ calls: [call(args)] }, DONE]);
    const tools = [toolAt(world.service.url, { parameters: { type: "object" } })];
    const { toolCalls } = await world.ask({}, { tools }, { isStreamed });
    expect(toolCalls).toMatchObject([{ status: "completed", parameters: {} }]);
  });
});

describe.each([true, false])("a model that calls a tool which the agent does not have, streamed: %j", (isStreamed) => {
  it.each<[string, string]>([
    ["one that it made up", "delete_everything"],
    ["another case", "Lookup_Order"],
    ["a space behind it", "lookup_order "],
    ["a part of an object", "constructor"],
    ["__proto__", "__proto__"],
    ["toString", "toString"],
    ["NUL and half a character", "lookup\u0000\ud800order"],
    ["a name of 100 000 characters", "x".repeat(100_000)],
    ["a path", "../../etc/passwd"],
  ])("such as %s is told which ones there are", async (_name, name) => {
    const world = await openHostileWorld([{ calls: [call(GOOD, { name })] }, DONE]);
    const { output, toolCalls } = await world.ask({}, {}, { isStreamed });
    expect(output?.text).toBe("done");
    expect(toolCalls).toMatchObject([
      {
        status: "failed",
        kind: null,
        attempts: [],
        error: { code: "UNKNOWN_TOOL", outcome: "none", retryable: false },
      },
    ]);
    expect(toldLast(world.model)).toEqual([expect.stringContaining("lookup_order")]);
    expect(toolCalls[0]?.name.length).toBeLessThan(300);
    expect(world.service.calls).toEqual([]);
  });

  it("written with dots where the provider has underscores: both are the agent's", async () => {
    const calls = [call(GOOD, { id: "a", name: "orders_get" }), call(GOOD, { id: "b", name: "orders.get" })];
    const world = await openHostileWorld([{ calls }, DONE]);
    const tools = [toolAt(world.service.url, { name: "orders.get" })];
    const { toolCalls } = await world.ask({}, { tools }, { isStreamed });
    expect(world.model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(["orders_get"]);
    expect(toolCalls).toMatchObject([
      { name: "orders.get", status: "completed" },
      { name: "orders.get", status: "completed" },
    ]);
  });
});

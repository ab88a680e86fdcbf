import type { JsonObject, JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { ModelMessage, ModelTool, ModelTurnRequest } from "../src/port.ts";
import { AGENTS, tool } from "./support/keyword-tools.ts";
import { answered, turnRequest } from "./support/turn-request.ts";

const models = createModels({
  providers: {},
  fetch: () => {
    throw new Error("a scripted model needs no network");
  },
  now: () => Date.parse("2026-11-21T06:00:00.000Z"),
});

const ask = (text: string, tools: readonly ModelTool[], changes: Partial<ModelTurnRequest> = {}) =>
  models.runTurn(turnRequest({ model: "scripted/keyword", tools, messages: [{ role: "user", text }], ...changes }));

type Call = readonly [name: string, parameters: JsonValue];

async function callsOf(text: string, tools: readonly ModelTool[]): Promise<readonly Call[]> {
  const turn = await ask(text, tools);
  return turn.toolCalls.map((call) => [call.name, call.parameters]);
}

describe("choosing tools", () => {
  // The questions of the README, of the demo and of the examples, with their tools.
  it.each<[keyof typeof AGENTS, string, ...Call[]]>([
    ["host", 'Book a table for 4 guests at "19:30"', ["book_table", { guests: 4, time: "19:30" }]],
    [
      "demo",
      "Where is order ORD-12345, and what would express shipping to Berlin cost?",
      ["lookup_order", { orderId: "ORD-12345" }],
      ["shipping_quote", { city: "Berlin", speed: "express" }],
    ],
    ["demo", "When will ORD-67890 arrive?", ["lookup_order", { orderId: "ORD-67890" }]],
    ["demo", "What is 17 * 3?", ["calculator", { expression: "17 * 3" }]],
    [
      "calendar",
      'Book a meeting titled "Tasting" on 2026-12-01 at 14:00 for guest@customer.example',
      ["book_meeting", { start: "2026-12-01T14:00:00Z", title: "Tasting", attendee: "guest@customer.example" }],
    ],
    [
      "chat",
      "Notify the channel #orders: ORD-1003 waits for its carrier",
      ["notify_channel", { channel: "orders", text: "ORD-1003 waits for its carrier" }],
    ],
    ["orders", "Search my orders with status open", ["search_orders", { status: "open" }]],
    [
      "mail",
      'Send an email to guest@customer.example with subject "Your table" and text "It is booked for 19:30."',
      ["send_email", { to: "guest@customer.example", subject: "Your table", text: "It is booked for 19:30." }],
    ],
    ["stock", "Reserve 2 pieces of SKU-100", ["reserve_stock", { sku: "SKU-100", pieces: 2 }]],
    ["stock", "Is SKU-100 in stock?", ["check_stock", { sku: "SKU-100" }]],
    [
      "payments",
      "Refund the amount 1200 of payment pay_1001",
      ["refund_payment", { payment: "pay_1001", amount: 1200 }],
    ],
    ["payments", "Find payment pay_1001", ["find_payment", { payment: "pay_1001" }]],
    ["weather", "What is the weather in London?", ["get_weather", { city: "London" }]],
    [
      "weather",
      "Search for who may seek asylum in other countries",
      ["web_search", { query: "who may seek asylum in other countries" }],
    ],
    ["weather", "Search the web for durable execution engines", ["web_search", { query: "durable execution engines" }]],
    ["weather", 'Search for "node sqlite"', ["web_search", { query: "node sqlite" }]],
    ["weather", "Summarize the text: The quick brown fox.", ["text_summarizer", { text: "The quick brown fox." }]],
  ])("calls the right tools of the agent %s for %j", async (agent, text, ...calls) => {
    expect(await callsOf(text, AGENTS[agent])).toEqual(calls);
  });

  it.each([
    ["What is 2 + 3?", "2 + 3"],
    ["(2+3)*4", "(2+3)*4"],
    ["1.5 - -2", "1.5 - -2"],
    ["How much is 10 / 4 - 1?", "10 / 4 - 1"],
    ["2^10 please", "2^10"],
  ])("finds the calculation of %j", async (text, expression) => {
    expect(await callsOf(text, AGENTS.demo)).toEqual([["calculator", { expression }]]);
  });

  it.each([
    "Do you deliver in 3-5 days?",
    "Call me at 555-1234",
    "What happened on 2026-11-20?",
    "Is it 10:30-11:00?",
    "Give me 50%",
    "Why is the sky blue?",
    "Hello!",
    "Where is my order?",
    "How do I get educated?",
    "I told anna@example.com about number nine",
    "",
  ])("calls nothing for %j", async (text) => {
    expect(await callsOf(text, AGENTS.demo)).toEqual([]);
  });

  it("calls a tool that writes only for its own verb", async () => {
    const orderId = { type: "string" };
    const tools = [tool("cancel_order", { orderId }), tool("order_history", { orderId })];
    expect(await callsOf("Where is order ORD-1?", tools)).toEqual([["order_history", { orderId: "ORD-1" }]]);
    expect(await callsOf("Cancel order ORD-1", tools)).toEqual([["cancel_order", { orderId: "ORD-1" }]]);
  });

  it("calls the tool that has all its parameters, of two that fit as well", async () => {
    const id = { type: "string" };
    const tools = [tool("split_order", { id, parts: { type: "integer" } }), tool("print_order", { id })];
    expect(await callsOf("order A-1", tools)).toEqual([["print_order", { id: "A-1" }]]);
  });

  it.each<[string, JsonObject, string, JsonValue]>([
    ["a pattern", { type: "string", pattern: "^[A-Z]{3}\\d{4}$" }, "what of ABC1234", "ABC1234"],
    ["its format", { type: "string", format: "uri" }, "thing https://a.example/b?c=1.", "https://a.example/b?c=1"],
    ["a date", { type: "string", format: "date" }, "the thing of 2026-12-24", "2026-12-24"],
    ["a choice", { enum: ["eco_mode", "full-power"] }, "set the thing to full power", "full-power"],
    ["its only choice", { const: "public" }, "thing", "public"],
    ["its default", { type: "integer", default: 5 }, "thing", 5],
    ["its bounds", { type: "integer", maximum: 5 }, "thing of 1999 with 4", 4],
    ["a number beside its name", { type: "number" }, "3 of the thing 2.5", 2.5],
    ["being named", { type: "boolean" }, "a thing", true],
    ["a name in capitals behind its name", { type: "string" }, "a thing: New York in winter", "New York"],
  ])("fills a parameter by %s", async (_what, schema, text, value) => {
    expect(await callsOf(text, [tool("find_thing", { thing: schema })])).toEqual([["find_thing", { thing: value }]]);
  });

  it("leaves an optional parameter out that the question does not name", async () => {
    const optional = tool("list_trips", { note: { type: "string" }, days: { type: "integer" } }, []);
    expect(await callsOf("list trips of 2026 to Rome", [optional])).toEqual([["list_trips", {}]]);
    expect(await callsOf("list trips of 3 days", [optional])).toEqual([["list_trips", { days: 3 }]]);
  });

  it("calls tools in namespaces by their own names", async () => {
    const tools = [tool("orders.get_by_id", { id: { type: "string" } })];
    expect(await callsOf("get order ORD-1", tools)).toEqual([["orders.get_by_id", { id: "ORD-1" }]]);
  });

  it("gives the same calls for the same question, whole and streamed", async () => {
    const text = "Where is order ORD-12345, and what would express shipping to Berlin cost?";
    const first = await ask(text, AGENTS.demo);
    expect(await ask(text, AGENTS.demo)).toEqual(first);
    expect(await ask(text, AGENTS.demo, { onTextDelta: () => {} })).toEqual(first);
    expect(first).toMatchObject({ text: "", finishReason: "tool_calls" });
    expect(first.usage.inputTokens).toBeGreaterThan(0);
    expect(first.usage.outputTokens).toBeGreaterThan(0);
  });

  it("looks at the latest question only", async () => {
    const messages: ModelMessage[] = [
      { role: "user", text: "Where is order ORD-1?" },
      { role: "assistant", parts: [{ type: "text", text: "It was shipped." }] },
      { role: "user", text: "And order ORD-2?" },
    ];
    const turn = await ask("", AGENTS.demo, { messages });
    expect(turn.toolCalls).toMatchObject([{ name: "lookup_order", parameters: { orderId: "ORD-2" } }]);
  });

  it("calls the likeliest tool where a call is required, and none where none is allowed", async () => {
    const required = await ask("Tell me something about Berlin", AGENTS.demo, { toolChoice: "required" });
    expect(required.toolCalls).toHaveLength(1);
    const forbidden = await ask("Where is order ORD-1?", AGENTS.demo, { toolChoice: "none" });
    expect(forbidden).toMatchObject({ toolCalls: [], text: expect.stringContaining("may not call tools") });
  });
});

describe("answering", () => {
  async function answerTo(text: string, tools: readonly ModelTool[], answers: readonly (readonly [string, boolean])[]) {
    const first = await ask(text, tools);
    expect(first.toolCalls).toHaveLength(answers.length);
    const results = answers.map(([result, isError]) => ({ isError, text: result }));
    const messages: ModelMessage[] = [{ role: "user", text }, ...answered(first, results)];
    return ask("", tools, { messages, turn: 2 });
  }

  it.each<[string, string, boolean, string]>([
    [
      "a flat object",
      '{"status":"shipped","carrier":"DHL"}',
      false,
      "lookup_order returned status: shipped; carrier: DHL.",
    ],
    [
      "a nested one",
      '{"to":{"city":"Berlin"},"items":[{"sku":"A"},{"sku":"B"}],"tags":["x","y"],"note":null,"gone":[]}',
      false,
      "lookup_order returned to.city: Berlin; items[0].sku: A; items[1].sku: B; tags: x, y; note: nothing; gone: none.",
    ],
    ["a number", "42", false, "lookup_order returned 42."],
    ["a sentence", '"It is on its way!"', false, "lookup_order returned It is on its way!"],
    [
      "text that was cut",
      '{"a":"b\n[cut: 5 of 9 characters left out]',
      false,
      'lookup_order returned {"a":"b\n[cut: 5 of 9 characters left out].',
    ],
    [
      "an error",
      '{"error":{"code":"TIMEOUT","message":"no answer in 10 s","retryable":true}}',
      true,
      "lookup_order failed (TIMEOUT): no answer in 10 s.",
    ],
    ["an error in other words", '"it broke"', true, "lookup_order failed: it broke."],
  ])("quotes %s", async (_what, result, isError, expected) => {
    const turn = await answerTo("Where is order ORD-1?", AGENTS.demo, [[result, isError]]);
    expect(turn).toMatchObject({ text: expected, finishReason: "stop", toolCalls: [] });
  });

  it("quotes forty values of a long result and counts the others", async () => {
    const result = JSON.stringify(Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`k${index}`, index])));
    const turn = await answerTo("Where is order ORD-1?", AGENTS.demo, [[result, false]]);
    expect(turn.text).toMatch(/; k39: 39; and 5 more values\.$/);
  });

  it("says what it is, what it missed and which tools it has", async () => {
    const tools = AGENTS.payments;
    const turn = await ask("Refund payment pay_8", tools);
    expect(turn.text).toBe(
      "I am scripted/keyword, a test model. I match the words of a question with tools and understand nothing. " +
        "For refund_payment I found no amount. My tools: find_payment (payment); refund_payment (payment, amount).",
    );
    expect((await ask("Tell me a joke", tools)).text).toContain("No tool fits this question.");
    expect((await ask("Tell me a joke", [])).text).toContain("I have no tools.");
  });
});

describe("hostile questions and tools", () => {
  const hostile = tool(
    "find_order",
    Object.fromEntries(
      ["orderId", "city", "timezone", "expression", "email", "url", "start", "query", "json", "toString"].map(
        (name) => [name, { type: "string", pattern: "^(a+)+$", format: "constructor" }],
      ),
    ),
  );
  const endless: ModelTool = {
    name: "find_node",
    description: "Nodes.",
    parameters: {
      type: "object",
      required: ["a"],
      properties: Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, { $ref: "#" }])),
    },
  };
  const circular = tool("find_ring", { ring: { $ref: "#/properties/ring" } });

  it.each<[string, string]>([
    ["open brackets", "(".repeat(100_000)],
    ["a sum without end", "1+".repeat(100_000)],
    ["identifiers", "order ORD-1 ".repeat(50_000)],
    ["half addresses", "a@a.".repeat(100_000)],
    ["capital letters", "A".repeat(100_000)],
    ["quotation marks", "“".repeat(100_000)],
    ["white space", `${" ".repeat(100_000)}squared`],
    ["a text for a slow pattern", `order ${"a".repeat(40)}!`],
    ["names of object members", "find order constructor __proto__ toString hasOwnProperty"],
  ])("answers in linear time on %s", async (_what, text) => {
    const before = process.threadCpuUsage();
    const tools = [hostile, endless, circular, ...Object.values(AGENTS).flat()];
    const turn = await ask(text, tools);
    expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000);
    expect(turn.finishReason).toMatch(/^(?:stop|tool_calls)$/);
  });
});

it.each([
  ["up to the 4,000th character", 3_979, [["lookup_order", { orderId: "ORD-12345" }]]],
  ["no further", 3_990, []],
])("reads a question %s", async (_what, offset, calls) => {
  expect(await callsOf(`${"x".repeat(offset)} find order ORD-12345`, AGENTS.demo)).toEqual(calls);
});

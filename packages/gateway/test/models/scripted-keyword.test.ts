import type { JsonObject, JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createModels } from "../../src/models/create-models.ts";
import type { ModelMessage, ModelTool, ModelTurnRequest } from "../../src/models/port.ts";
import { SHOP, tool } from "./support/keyword-tools.ts";
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
  it.each<[string, ...Call[]]>([
    [
      "Where is order ORD-12345, and what would express shipping to Berlin cost?",
      ["lookup_order", { orderId: "ORD-12345" }],
      ["shipping_quote", { city: "Berlin", speed: "express" }],
    ],
    ["where is order ord-7?", ["lookup_order", { orderId: "ord-7" }]],
    ["Track order #4711", ["lookup_order", { orderId: "4711" }]],
    ["ORD-12345", ["lookup_order", { orderId: "ORD-12345" }]],
    ["Please cancel my order ORD-77", ["cancel_order", { orderId: "ORD-77" }]],
    ["Refund 20.50 EUR for order ORD-9", ["refund_order", { orderId: "ORD-9", amount: 20.5 }]],
    ["What is the history of order ORD-9?", ["order_history", { orderId: "ORD-9" }]],
    [
      "Where are orders ORD-1, ORD-2 and ORD-3?",
      ["lookup_order", { orderId: "ORD-1" }],
      ["lookup_order", { orderId: "ORD-2" }],
      ["lookup_order", { orderId: "ORD-3" }],
    ],
    ["Is SKU-991 in stock?", ["check_inventory", { sku: "SKU-991" }]],
    [
      "What's the status of order ORD-1, and is SKU-2 in stock?",
      ["lookup_order", { orderId: "ORD-1" }],
      ["check_inventory", { sku: "SKU-2" }],
    ],
    [
      "What does standard shipping from Hamburg to Vienna cost?",
      ["shipping_quote", { city: "Vienna", speed: "standard" }],
    ],
    ["ship it express to berlin", ["shipping_quote", { city: "berlin", speed: "express" }]],
    [
      "What's the weather in Berlin and New York?",
      ["get_weather", { city: "Berlin" }],
      ["get_weather", { city: "New York" }],
    ],
    ["List all products", ["list_products", {}]],
    ["Find customers in Hamburg", ["query_customers", { city: "Hamburg", limit: 10 }]],
    ["Convert 1,500 USD to EUR", ["convert_currency", { amount: 1500, from: "USD", to: "EUR" }]],
    ["Search the web for durable execution engines", ["web_search", { query: "durable execution engines" }]],
    ["Search for 'node sqlite'", ["web_search", { query: "node sqlite" }]],
    [
      'Send an email to anna@example.com with subject "Delay" saying "Your order is on its way"',
      ["send_email", { to: "anna@example.com", subject: "Delay", body: "Your order is on its way" }],
    ],
    [
      "Send bob@example.com an e-mail about the delay saying we are sorry",
      ["send_email", { to: "bob@example.com", subject: "the delay", body: "we are sorry" }],
    ],
    [
      "Book a meeting titled 'Planning' tomorrow at 15:00 for 30 minutes",
      ["book_meeting", { title: "Planning", start: "2026-11-22T15:00:00Z", durationMinutes: 30 }],
    ],
    [
      "Schedule a meeting called 'Demo' on 2026-12-01 at 9:30, duration 45 minutes",
      ["book_meeting", { title: "Demo", start: "2026-12-01T09:30:00Z", durationMinutes: 45 }],
    ],
    ['Post "deploy done" to channel ops', ["post_message", { channel: "ops", text: "deploy done" }]],
    ["Post to #ops: the deploy is done", ["post_message", { channel: "ops", text: "the deploy is done" }]],
    ['Validate {"a": [1, 2]}', ["json_validator", { operation: "validate", json: '{"a": [1, 2]}' }]],
    ["Summarize: The quick brown fox jumps.", ["text_summarizer", { text: "The quick brown fox jumps." }]],
    ["what time is it in Tokyo?", ["datetime", { operation: "now", timezone: "Asia/Tokyo" }]],
    ["time in San Francisco", ["datetime", { operation: "now", timezone: "America/Los_Angeles" }]],
    ["What time is it in Europe/Berlin?", ["datetime", { operation: "now", timezone: "Europe/Berlin" }]],
    ["What's the date today?", ["datetime", { operation: "now", datetime: "2026-11-21" }]],
    [
      "What time is it in Tokyo and in New York?",
      ["datetime", { operation: "now", timezone: "Asia/Tokyo" }],
      ["datetime", { operation: "now", timezone: "America/New_York" }],
    ],
    [
      "What is the difference between 2026-01-01 and 2026-12-24 in days?",
      ["datetime", { operation: "difference", datetime: "2026-01-01", end: "2026-12-24", unit: "day" }],
    ],
    ["Add 3 days to the date 2026-11-30", ["datetime", { operation: "add", datetime: "2026-11-30", duration: "P3D" }]],
    [
      "Convert the time 2026-11-21T10:00:00Z to Tokyo",
      ["datetime", { operation: "convert", datetime: "2026-11-21T10:00:00Z", toTimezone: "Asia/Tokyo" }],
    ],
    [
      "Where is order ORD-5, and what time is it in Paris?",
      ["lookup_order", { orderId: "ORD-5" }],
      ["datetime", { operation: "now", timezone: "Europe/Paris" }],
    ],
  ])("answers %j with the right calls", async (text, ...calls) => {
    expect(await callsOf(text, SHOP)).toEqual(calls);
  });

  it.each([
    ["(2+3)*4", "(2+3)*4"],
    ["What is 12% of 80 plus 7?", "12% * 80 + 7"],
    ["How much is 7 times 6?", "7 * 6"],
    ["what's sqrt(16)+1", "sqrt(16)+1"],
    ["the square root of 144 plus 3 squared", "sqrt(144) + 3^2"],
    ["2 to the power of 10", "2 ^ 10"],
    ["1,000 + 2,500.5", "1000 + 2500.5"],
    ["10 divided by 4 minus 1", "10 / 4 - 1"],
    ["What is five plus seven?", "5 + 7"],
    ["Compute the sum of 3 and 4.", "3 + 4"],
    ["How much is $20 × 3?", "20 * 3"],
    ["calculate 24/7", "24/7"],
    ["What is -3 * -4?", "-3 * -4"],
  ])("finds the calculation of %j", async (text, expression) => {
    expect(await callsOf(text, SHOP)).toEqual([["calculator", { expression }]]);
  });

  it.each([
    "What is ORD-12345 minus 3 days?",
    "Do you deliver in 3-5 days?",
    "Call me at 555-1234",
    "What happened on 2026-11-20?",
    "Is it 10:30-11:00?",
    "What is (1+2",
    "Give me 50%",
  ])("finds no calculation in %j", async (text) => {
    expect((await callsOf(text, SHOP)).map(([name]) => name)).not.toContain("calculator");
  });

  it.each([
    "Why is the sky blue?",
    "Hello!",
    "Where is my order?",
    "Refund order ORD-8",
    "I told anna@example.com about order number nine",
    "My colleague cancelled the meeting",
    "",
  ])("calls nothing for %j", async (text) => {
    expect(await callsOf(text, SHOP)).toEqual([]);
  });

  it.each<[string, ModelTool, string, JsonObject]>([
    [
      "a pattern",
      tool("find_booking", "Bookings.", { code: { type: "string", pattern: "^[A-Z]{3}\\d{4}$" } }),
      "booking ABC1234 please",
      { code: "ABC1234" },
    ],
    [
      "an example",
      tool("find_thing", "Things.", { thing: { type: "string", examples: ["TH_1"] } }),
      "show TH_42",
      { thing: "TH_42" },
    ],
    [
      "a sample in its description",
      tool("find_thing", "Things.", { thing: { type: "string", description: "for example TH-1" } }),
      "show TH-42",
      { thing: "TH-42" },
    ],
    [
      "a UUID",
      tool("find_thing", "Things.", { thingId: { type: "string", format: "uuid" } }),
      "find thing 0189e3a4-5b6c-7d8e-9f00-112233445566",
      { thingId: "0189e3a4-5b6c-7d8e-9f00-112233445566" },
    ],
    [
      "a date",
      tool("list_events", "Events.", { date: { type: "string", format: "date" } }),
      "list events of 2026-12-24",
      { date: "2026-12-24" },
    ],
    [
      "a day counted from today",
      tool("list_events", "Events.", { day: { type: "string" } }),
      "list events for tomorrow",
      { day: "2026-11-22" },
    ],
    [
      "a full timestamp",
      tool("list_events", "Events.", { since: { type: "string", format: "date-time" } }),
      "list events since 2026-11-20T10:00Z",
      { since: "2026-11-20T10:00:00Z" },
    ],
    [
      "a time of day",
      tool("set_alarm", "Alarms.", { at: { type: "string", format: "time" } }),
      "set an alarm for 6 pm",
      { at: "18:00:00Z" },
    ],
    [
      "a URL",
      tool("fetch_page", "Pages.", { url: { type: "string", format: "uri" } }),
      "fetch the page https://example.com/a?b=1.",
      { url: "https://example.com/a?b=1" },
    ],
    [
      "numbers by their names",
      tool("price_trip", "Trips.", { nights: { type: "integer" }, guests: { type: "integer" } }),
      "price of a trip for 2 guests and 5 nights",
      { nights: 5, guests: 2 },
    ],
    [
      "a number in words",
      tool("book_table", "Tables.", { guests: { type: "integer", minimum: 1 } }),
      "book a table for four",
      { guests: 4 },
    ],
    [
      "only numbers that its bounds allow",
      tool("rate_shop", "Ratings.", { stars: { type: "integer", maximum: 5 } }),
      "rate the shop of 1999 with 4",
      { stars: 4 },
    ],
    [
      "an enum of several words",
      tool("set_mode", "Modes.", { mode: { type: "string", enum: ["off", "eco_mode", "fullPower"] } }),
      "set it to full power",
      { mode: "fullPower" },
    ],
    [
      "its only value",
      tool("list_events", "Events.", { kind: { const: "public" } }),
      "list events",
      { kind: "public" },
    ],
    [
      "a default",
      tool("list_events", "Events.", { limit: { type: "integer", default: 5 } }),
      "list events",
      { limit: 5 },
    ],
    [
      "a yes",
      tool("wrap_gift", "Gifts.", { giftCard: { type: "boolean" } }),
      "wrap the gift with a gift card",
      { giftCard: true },
    ],
    [
      "a no",
      tool("wrap_gift", "Gifts.", { giftCard: { type: "boolean" } }),
      "wrap the gift without a gift card",
      { giftCard: false },
    ],
    [
      "a list",
      tool("compare_articles", "Articles.", {
        skus: { type: "array", items: { type: "string", description: "such as SKU-1" } },
      }),
      "compare SKU-1 and SKU-2",
      { skus: ["SKU-1", "SKU-2"] },
    ],
    [
      "a nested object",
      tool("create_order", "Orders.", {
        item: {
          type: "object",
          required: ["sku", "quantity"],
          properties: { sku: { type: "string" }, quantity: { type: "integer" } },
        },
      }),
      "create an order, sku AB-12, quantity 3",
      { item: { sku: "AB-12", quantity: 3 } },
    ],
    [
      "what its reference says",
      {
        ...tool("list_events", "Events.", {}),
        parameters: {
          type: "object",
          required: ["day"],
          properties: { day: { $ref: "#/$defs/day" } },
          $defs: { day: { type: "string", format: "date" } },
        },
      },
      "list events of 2026-12-24",
      { day: "2026-12-24" },
    ],
    [
      "the first of its alternatives that is not null",
      tool("list_events", "Events.", { day: { anyOf: [{ type: "null" }, { type: "string", format: "date" }] } }),
      "list events of 2026-12-24",
      { day: "2026-12-24" },
    ],
    [
      "what is written beside its name",
      tool("find_person", "People.", { lastName: { type: "string" } }),
      "find the person with last name: O'Neil",
      { lastName: "O'Neil" },
    ],
    [
      "two places by their prepositions",
      tool("find_trains", "Trains.", { from: { type: "string" }, to: { type: "string" } }),
      "find trains to Munich from Hamburg",
      { from: "Hamburg", to: "Munich" },
    ],
    [
      "an optional value that is clear",
      tool(
        "list_trips",
        "Trips.",
        { class: { type: "string", enum: ["first", "second"] }, note: { type: "string" } },
        [],
      ),
      "list trips in first class",
      { class: "first" },
    ],
  ])("fills a parameter by %s", async (_what, only, text, parameters) => {
    expect(await callsOf(text, [only])).toEqual([[only.name, parameters]]);
  });

  it("calls tools in namespaces by their own names", async () => {
    const tools = [tool("orders.get_by_id", "An order.", { id: { type: "string" } })];
    expect(await callsOf("get order ORD-1", tools)).toEqual([["orders.get_by_id", { id: "ORD-1" }]]);
  });

  it("gives the same calls for the same question, whole and streamed", async () => {
    const text = "Where is order ORD-12345, and what would express shipping to Berlin cost?";
    const first = await ask(text, SHOP);
    expect(await ask(text, SHOP)).toEqual(first);
    expect(await ask(text, SHOP, { onTextDelta: () => {} })).toEqual(first);
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
    const turn = await ask("", SHOP, { messages });
    expect(turn.toolCalls).toMatchObject([{ name: "lookup_order", parameters: { orderId: "ORD-2" } }]);
  });

  it("calls the likeliest tool where a call is required, and none where none is allowed", async () => {
    const required = await ask("Tell me something about Berlin", SHOP, { toolChoice: "required" });
    expect(required.toolCalls).toHaveLength(1);
    const forbidden = await ask("Where is order ORD-1?", SHOP, { toolChoice: "none" });
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
      "lookup_order answered status: shipped; carrier: DHL.",
    ],
    [
      "a nested one",
      '{"to":{"city":"Berlin"},"items":[{"sku":"A"},{"sku":"B"}],"tags":["x","y"],"note":null,"gone":[]}',
      false,
      "lookup_order answered to.city: Berlin; items[0].sku: A; items[1].sku: B; tags: x, y; note: nothing; gone: none.",
    ],
    ["a number", "42", false, "lookup_order answered 42."],
    ["a sentence", '"It is on its way!"', false, "lookup_order answered It is on its way!"],
    [
      "text that was cut",
      '{"a":"b\n[cut: 5 of 9 characters left out]',
      false,
      'lookup_order answered {"a":"b\n[cut: 5 of 9 characters left out].',
    ],
    [
      "an error",
      '{"error":{"code":"TIMEOUT","message":"no answer in 10 s","retryable":true}}',
      true,
      "lookup_order failed (TIMEOUT): no answer in 10 s.",
    ],
    ["an error in other words", '"it broke"', true, "lookup_order failed: it broke."],
  ])("quotes %s", async (_what, result, isError, expected) => {
    const turn = await answerTo("Where is order ORD-1?", SHOP, [[result, isError]]);
    expect(turn).toMatchObject({ text: expected, finishReason: "stop", toolCalls: [] });
  });

  it("says which of several calls of one tool it quotes", async () => {
    const turn = await answerTo("Where are orders ORD-1 and ORD-2?", SHOP, [
      ['{"status":"shipped"}', false],
      ['{"error":{"code":"NOT_THERE","message":"no such order"}}', true],
    ]);
    expect(turn.text).toBe(
      "lookup_order (orderId: ORD-1) answered status: shipped.\n" +
        "lookup_order (orderId: ORD-2) failed (NOT_THERE): no such order.",
    );
  });

  it("quotes forty values of a long result and counts the others", async () => {
    const result = JSON.stringify(Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`k${index}`, index])));
    const turn = await answerTo("Where is order ORD-1?", SHOP, [[result, false]]);
    expect(turn.text).toMatch(/; k39: 39; and 5 more values\.$/);
  });

  it("says what it is, what it missed and which tools it has", async () => {
    const tools = SHOP.slice(0, 3);
    const turn = await ask("Refund order ORD-8", tools);
    expect(turn.text).toBe(
      "I am scripted/keyword, a test model that matches the words of a question with tools and understands nothing. " +
        "For refund_order I found no amount. " +
        "My tools: lookup_order (orderId); cancel_order (orderId, reason); refund_order (orderId, amount).",
    );
    expect((await ask("Tell me a joke", tools)).text).toContain("No tool fits this question.");
    expect((await ask("Tell me a joke", [])).text).toContain("I have no tools.");
  });
});

describe("hostile questions and tools", () => {
  const hostile = tool(
    "find_order",
    "Find an order in a city, such as ORD-1.",
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
  const circular = tool("find_ring", "Rings.", { ring: { $ref: "#/properties/ring" } });

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
  ])("answers within a second on %s", async (_what, text) => {
    const start = performance.now();
    const tools = [hostile, endless, circular, ...SHOP];
    const turn = await ask(text, tools);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(turn.finishReason).toMatch(/^(?:stop|tool_calls)$/);
  });
});

import { createServer } from "node:http";
import type { StreamEvent } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import { startRawService } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const MODEL = "claude-sonnet-4-20250514";
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: MODEL };
const USE = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "carrier strike" } };
const FOUND = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [
    {
      type: "web_search_result",
      url: "https://news.example/strike",
      title: "Strike",
      page_age: null,
      encrypted_content: "c2VjcmV0".repeat(500),
    },
  ],
};
const CALL = { type: "tool_use", id: "toolu_1", name: "lookup_order", input: { orderId: "ORD-1" } };

type Block = typeof USE | typeof FOUND | typeof CALL | { readonly type: string; readonly text: string };

function eventText(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The events that a block of an answer comes in. */
function partsOf(index: number, block: Block) {
  const start = (content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (piece: object) => ({ type: "content_block_delta", index, delta: piece });
  const stop = { type: "content_block_stop", index };
  if ("input" in block) {
    const partial_json = JSON.stringify(block.input);
    return [start({ ...block, input: {} }), delta({ type: "input_json_delta", partial_json }), stop];
  }
  if ("text" in block) {
    return [start({ ...block, text: "" }), delta({ type: "text_delta", text: block.text }), stop];
  }
  return [start(block), stop];
}

/** A server that speaks Anthropic's wire format: it searches and calls a tool in its first turn, and then answers. */
async function startAnthropic() {
  const bodies: { readonly messages: readonly { readonly content: unknown }[] }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    const isFirst = bodies.length === 1;
    const content = isFirst
      ? [USE, FOUND, { type: "text", text: "There is a strike. " }, CALL]
      : [{ type: "text", text: "It waits for the strike to end." }];
    const usage = isFirst
      ? { input_tokens: 1_000, output_tokens: 100, server_tool_use: { web_search_requests: 1 } }
      : { input_tokens: 500, cache_read_input_tokens: 1_000, output_tokens: 50 };
    const stopReason = isFirst ? "tool_use" : "end_turn";
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(eventText({ type: "message_start", message: { ...MESSAGE, content: [], usage } }));
    for (const [index, block] of content.entries())
      for (const part of partsOf(index, block)) response.write(eventText(part));
    response.write(
      eventText({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
    );
    response.end(eventText({ type: "message_stop" }));
  });
  const origin = await listenOnLoopback(server);
  return { url: `${origin}/v1`, bodies };
}

describe("an agent whose model searches the web itself", () => {
  it("shows its searches, sources and cost, and sends its own tool's call only", async () => {
    const anthropic = await startAnthropic();
    const world = await openWorld({ providers: { anthropic: { apiKey: "sk-ant-test", baseUrl: anthropic.url } } });
    const service = await startRawService((response) => void response.json({ result: { status: "shipped" } }));
    const agent = await world.client.agents.create({
      name: "Order desk",
      model: MODEL,
      tools: [
        {
          name: "lookup_order",
          description: "Looks up an order.",
          parameters: { type: "object", properties: { orderId: { type: "string" } } },
          handler: service.url,
          sideEffect: "read_only",
        },
        { builtin: "web_search", config: { providerHosted: true, maxUses: 2 } },
      ],
    });
    expect(agent.warnings).toEqual([]);

    const execution = await world.client.agents.execute(agent.id, { input: "Where is ORD-1?" });
    const events: StreamEvent[] = [];
    for await (const event of world.client.executions.events(execution.id)) events.push(event);

    expect(execution).toMatchObject({
      status: "completed",
      output: {
        text: "It waits for the strike to end.",
        sources: [{ url: "https://news.example/strike", title: "Strike" }],
      },
      usage: { inputTokens: 2_500, cachedInputTokens: 1_000, outputTokens: 150, toolCalls: 1, hostedToolCalls: 1 },
      // 1500 × 3, 1000 × 0.3 and 150 × 15 per million, and one search of 10 USD per thousand.
      cost: { usd: 0.01705, credits: 0 },
    });
    expect(execution.cost).not.toHaveProperty("isPartial");

    const [first] = events.filter((event) => event.type === "model.responded");
    expect(first).toMatchObject({
      toolCalls: [{ name: "lookup_order" }],
      hostedCalls: [{ id: "srvtoolu_1", name: "web_search", input: { query: "carrier strike" }, status: "completed" }],
      cost: { usd: 0.0145 },
    });
    // Enough for a person, and no more: the encrypted text is for the provider.
    expect(JSON.stringify(first).length).toBeLessThan(3_000);
    expect(events.filter((event) => event.type === "tool_call.requested")).toHaveLength(1);
    expect(service.calls).toHaveLength(1);

    // The next turn repeats the search as it came, and answers the one call that was the agent's.
    const [, assistant, results] = anthropic.bodies[1]?.messages ?? [];
    expect(assistant?.content).toEqual([USE, FOUND, { type: "text", text: "There is a strike. " }, CALL]);
    expect(results?.content).toMatchObject([{ type: "tool_result", tool_use_id: "toolu_1" }]);
  });

  it("is refused where its model has no search, with all that is wrong named at once", async () => {
    const world = await openWorld();
    const creation = world.client.agents.create({
      name: "Order desk",
      model: "deepseek/deepseek-flash",
      tools: [
        { builtin: "web_search", config: { providerHosted: true } },
        { builtin: "calculator", config: { providerHosted: true } },
      ],
    });
    await expect(creation).rejects.toMatchObject({
      status: 422,
      fieldErrors: [
        { path: "tools[0].config.providerHosted", code: "HOSTED_TOOL_UNSUPPORTED" },
        { path: "tools[1].config.providerHosted", code: "HOSTED_TOOL_UNSUPPORTED" },
      ],
    });
  });
});

describe("prices of the operator's", () => {
  it("that are not valid keep the gateway from starting", async () => {
    await expect(openWorld({ pricesFile: "/nowhere/prices.json" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("prices"),
    });
  });
});

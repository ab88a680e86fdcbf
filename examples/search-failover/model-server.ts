import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { isObject, stringIn, textOf } from "./read-request.ts";

/** A model provider on this machine. */
export interface ModelServer {
  readonly url: string;
  /** Whether its own web search has an outage. The model itself still replies. */
  isSearchDown: boolean;
  stop(): Promise<void>;
}

const PAGE = { type: "web_search_result", url: "https://news.example/asylum", title: "Asylum", page_age: null };
const QUERY = "seek asylum in other countries";

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Starts a stand-in for the API of Anthropic: a model that searches, and answers with what it has found. If its own
 * search is down, it asks for the date first, and then searches with the function that the next request offers.
 */
export async function startModelServer(): Promise<ModelServer> {
  const provider = { isSearchDown: false };
  const server = createServer(async (request, response) => {
    const reply = replyTo(await json(request), provider.isSearchDown);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsOf(reply)) response.write(event);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(provider, {
    url: `http://127.0.0.1:${port}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Returns the content of the reply to a request. */
function replyTo(body: unknown, isSearchDown: boolean): readonly Block[] {
  const tools = isObject(body) && Array.isArray(body["tools"]) ? body["tools"] : [];
  const found = textOf(body);
  if (found?.includes('"results"') === true) return [{ type: "text", text: quoteFrom(found) }];
  if (tools.some((tool) => stringIn(tool, "type").startsWith("web_search_"))) return searchItself(isSearchDown);
  return [{ type: "tool_use", id: "toolu_2", name: "web_search", input: { query: QUERY } }];
}

/** Searches with the provider's own tool. */
function searchItself(isDown: boolean): readonly Block[] {
  const use = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: QUERY } };
  const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1" };
  if (isDown) {
    const content = { type: "web_search_tool_result_error", error_code: "unavailable" };
    const call = { type: "tool_use", id: "toolu_1", name: "datetime", input: { operation: "now" } };
    return [use, { ...result, content }, call];
  }
  const content = [{ ...PAGE, encrypted_content: "c2VhbGVk" }];
  return [use, { ...result, content }, { type: "text", text: `Everyone may seek asylum (${PAGE.url}).` }];
}

/** Quotes the first claim of a search result, with its source. */
function quoteFrom(result: string): string {
  const claim = /"text":"([^"]+)"/.exec(result)?.[1] ?? "nothing";
  const url = /"url":"([^"]+)"/.exec(result)?.[1] ?? "nowhere";
  return `“${claim}” (${url})`;
}

/** Returns the server-sent events in which a reply arrives. */
function eventsOf(content: readonly Block[]): readonly string[] {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514", content: [] };
  const stopReason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  return [
    { type: "message_start", message: { ...message, usage } },
    ...content.flatMap((block, index) => blockEvents(index, block)),
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function blockEvents(index: number, block: Block): readonly Block[] {
  const part = (delta: object) => ({ type: "content_block_delta", index, delta });
  const start = (content_block: object) => ({ type: "content_block_start", index, content_block });
  const stop = { type: "content_block_stop", index };
  if ("input" in block) {
    const partial_json = JSON.stringify(block["input"]);
    return [start({ ...block, input: {} }), part({ type: "input_json_delta", partial_json }), stop];
  }
  if ("text" in block) return [start({ ...block, text: "" }), part({ type: "text_delta", text: block["text"] }), stop];
  return [start(block), stop];
}

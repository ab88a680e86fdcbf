import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { problemSchema } from "@yagate/protocol";
import { linesOf } from "./lines.ts";

/** The two sides that a bridge connects. */
export interface BridgeOptions {
  /** The URL of `/mcp` of a gateway. */
  readonly url: string;
  readonly apiKey: string;
  /** What the MCP host writes: one JSON-RPC message per line. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends one line to the MCP host. */
  readonly write: (line: string) => void;
  /** Prints a line that is not part of the protocol. */
  readonly note: (text: string) => void;
}

const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/**
 * Passes messages of the Model Context Protocol between a host on standard input and output and a gateway. Resolves
 * when the host closes the input; requests that are still open then end, but their executions continue.
 */
export async function bridge({ url, apiKey, input, write, note }: BridgeOptions): Promise<void> {
  const open = new Map<unknown, AbortController>();
  /** The revision that `initialize` agreed on; newer revisions state theirs in each message. */
  let agreed: string | undefined;

  function answer(text: string): void {
    const message = parseJsonOrUndefined(text);
    const result = isJsonObject(message) ? message["result"] : undefined;
    const version = isJsonObject(result) ? result["protocolVersion"] : undefined;
    if (typeof version === "string") agreed = version;
    // One message is one line.
    write(message === undefined ? text.replaceAll("\n", " ") : JSON.stringify(message));
  }

  function fail(id: unknown, message: string): void {
    note(message);
    if (id !== undefined) write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } }));
  }

  async function forward(line: string, message: JsonObject): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) open.set(id, controller);
    try {
      const headers = { ...headersOf(message, agreed), authorization: `Bearer ${apiKey}` };
      const { signal } = controller;
      const response = await fetch(url, { method: "POST", redirect: "error", headers, body: line, signal });
      await relay(response, answer, (reason) => fail(id, reason));
    } catch (error) {
      // The host cancelled the request, so it expects no response.
      if (!controller.signal.aborted) fail(id, `the gateway could not be reached: ${reasonOf(error)}`);
    } finally {
      open.delete(id);
    }
  }

  const forwarded = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    if (line.trim() === "") continue;
    const message = parseJsonOrUndefined(line);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) open.get(cancelled)?.abort();
    else if (isJsonObject(message)) {
      const running = forward(line, message).finally(() => forwarded.delete(running));
      forwarded.add(running);
      // Later messages depend on the revision that this one agrees on.
      if (message["method"] === "initialize") await running;
    } else {
      const error = { code: PARSE_ERROR, message: "expected one JSON-RPC message per line" };
      write(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    }
  }
  for (const controller of open.values()) controller.abort();
  await Promise.all(forwarded);
}

/** Returns the headers of Streamable HTTP, which repeat parts of the message. */
function headersOf({ method, params }: JsonObject, agreed: string | undefined): Record<string, string> {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  const own = isJsonObject(meta) ? meta[VERSION_KEY] : undefined;
  const version = own ?? agreed;
  const name = isJsonObject(params) ? params["name"] : undefined;
  return {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
    ...(typeof own === "string" && typeof method === "string" ? { "mcp-method": method } : {}),
    ...(typeof own === "string" && typeof name === "string" ? { "mcp-name": name } : {}),
  };
}

/** Passes on each message of a response. */
async function relay(
  response: Response,
  answer: (text: string) => void,
  fail: (reason: string) => void,
): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && response.body !== null) {
    let data: string[] = [];
    for await (const line of linesOf(response.body)) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      if (line !== "" || data.length === 0) continue;
      answer(data.join("\n"));
      data = [];
    }
    return;
  }
  const text = await response.text();
  if (text === "") {
    if (!response.ok) fail(`the gateway responded with HTTP ${response.status}`);
    return;
  }
  const problem = type.startsWith("application/problem+json")
    ? problemSchema.safeParse(parseJsonOrUndefined(text)).data
    : undefined;
  if (problem !== undefined) fail(`${problem.code}: ${problem.detail}`);
  else if (type.startsWith("application/json")) answer(text);
  else fail(`the gateway responded with HTTP ${response.status} and no JSON`);
}

/** Returns the id of the request that a message cancels; undefined for other messages. */
function cancelledBy(message: unknown): unknown {
  if (!isJsonObject(message) || message["method"] !== "notifications/cancelled") return undefined;
  return isJsonObject(message["params"]) ? message["params"]["requestId"] : undefined;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

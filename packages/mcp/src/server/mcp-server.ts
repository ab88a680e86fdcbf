import type { McpHttpHandler, ProgressToken, Server, ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { ACCEPT_ALL_VALIDATOR } from "../accept-all-validator.ts";
import type { ServedTools } from "./port.ts";
import { acceptsLinks, resumedCall, toInputRequired } from "./serve-links.ts";
import { acceptsTasks, serveTasks, TASKS_EXTENSION, toCreatedTask } from "./serve-tasks.ts";

/** Options for {@link createMcpServer}. */
export interface McpServerOptions {
  /** The name by which clients know the server. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** How a model should use the tools. */
  readonly instructions: string;
  /** Called with each error that the protocol library reports, such as a request that it rejects. */
  readonly onError?: (error: Error) => void;
}

/** One HTTP request with a message of the Model Context Protocol. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly message: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A stateless server of the Model Context Protocol (Streamable HTTP), for the revisions 2026-07-28 and 2025-11-25. */
export interface McpServer {
  /**
   * Responds to the message of one POST request. The caller has authenticated the request and checked its `Host` and
   * `Origin`.
   */
  respond(request: McpRequest, tools: ServedTools): Promise<Response>;
}

type Sdk = typeof import("@modelcontextprotocol/server");

interface Loaded {
  readonly sdk: Sdk;
  readonly handler: McpHttpHandler;
}

const METHOD_NOT_FOUND = -32_601;
/** A field of `_meta` with which a client asks that the work of a call ends with the call. */
const CANCELLED_WITH_CALL = "yagate/cancelWithCall";
/** The path is not read; `Request` requires an absolute URL. */
const URL_OF_REQUESTS = "http://gateway.invalid/mcp";
/**
 * Creates a server. The protocol library is loaded at the first request, because that takes 0.2 s and most gateways never
 * need it.
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { name, title, version, instructions, onError } = options;
  const toolsOf = new WeakMap<Request, { readonly tools: ServedTools; readonly signal: AbortSignal }>();
  let loading: Promise<Loaded> | undefined;

  async function load(): Promise<Loaded> {
    const sdk = await import("@modelcontextprotocol/server");
    const handler = sdk.createMcpHandler(
      ({ requestInfo }) => {
        const served = requestInfo && toolsOf.get(requestInfo);
        if (served === undefined) throw new Error("expected a request of this server");
        const server = new sdk.Server(
          { name, title, version },
          {
            capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } },
            ...{ instructions, jsonSchemaValidator: ACCEPT_ALL_VALIDATOR },
          },
        );
        serveTools(server, served.tools, served.signal, sdk);
        serveTasks(server, served.tools.tasks, sdk);
        return server;
      },
      { onerror: (error) => onError?.(error) },
    );
    return { sdk, handler };
  }

  return {
    async respond({ headers, message, signal }, tools) {
      if (isSubscription(message)) return noSubscriptions(message);
      loading ??= load();
      const { handler } = await loading;
      const request = new Request(URL_OF_REQUESTS, { method: "POST", headers, signal });
      toolsOf.set(request, { tools, signal });
      return handler.fetch(request, { parsedBody: message });
    },
  };
}

function serveTools(server: Server, tools: ServedTools, signal: AbortSignal, sdk: Sdk): void {
  server.setRequestHandler("tools/list", async ({ params }) => {
    const { tools: listed, nextCursor } = await tools.list(params?.cursor);
    return { tools: [...listed], ...defined({ nextCursor }) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const outcome = await tools.call({
      name: params.name,
      arguments: params.arguments ?? {},
      signal: AbortSignal.any([signal, context.mcpReq.signal]),
      acceptsTask: acceptsTasks(context),
      acceptsLinks: acceptsLinks(context),
      ...defined({ resumed: resumedCall(context) }),
      isCancelledWithCall: params._meta?.[CANCELLED_WITH_CALL] === true,
      onProgress: progressOf(context),
    });
    if (outcome !== undefined) {
      if ("asked" in outcome) return toInputRequired(outcome.asked, sdk);
      return "task" in outcome ? toCreatedTask(outcome.task) : outcome.result;
    }
    const { ProtocolError, ProtocolErrorCode } = sdk;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no tool with this name; list the tools again");
  });
}

/** Sends numbered progress notifications, if the client asked for them. */
function progressOf({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken: ProgressToken | undefined = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that has left gets no progress.
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
}

// The library would keep a stream open for each subscription, although this server never announces a change.
function isSubscription(message: unknown): message is { readonly id?: unknown } {
  return isJsonObject(message) && message["method"] === "subscriptions/listen";
}

function noSubscriptions({ id = null }: { readonly id?: unknown }): Response {
  const error = { code: METHOD_NOT_FOUND, message: "this server announces no changes: list the tools again" };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 404 });
}

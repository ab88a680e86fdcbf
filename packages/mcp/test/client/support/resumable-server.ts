import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type EventStore, StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type HttpServer, startHttpServer } from "./http-server.ts";

type Message = Parameters<EventStore["storeEvent"]>[1];

/** A server of the first SDK, with sessions, whose calls last until the test ends them. */
export interface ResumableServer extends HttpServer {
  /** How often each tool has been called. */
  readonly calls: ReadonlyMap<string, number>;
  /** Resolves when a tool was called so often. */
  called(name: string, times: number): Promise<void>;
  /** Ends the calls that run, and all later ones at once. */
  finish(): void;
  /** Sends progress from every call that runs. */
  progress(): Promise<void>;
  /** Loses all sessions, as a restart does. */
  forget(): void;
  /** The sessions that clients have ended. */
  readonly ended: readonly string[];
}

export interface ResumableServerOptions {
  /** Whether the events of responses have ids, and are kept; default true. */
  readonly hasEvents?: boolean;
  /** Names of the tools; default: work. */
  readonly tools?: readonly string[];
}

export async function startResumableServer({
  hasEvents = true,
  tools = ["work"],
}: ResumableServerOptions = {}): Promise<ResumableServer> {
  const calls = new Map<string, number>();
  const ended: string[] = [];
  const finished = Promise.withResolvers<void>();
  const running = new Set<() => Promise<void>>();
  const watchers = new Set<() => void>();
  const transports = new Map<string, StreamableHTTPServerTransport>();

  function open(): StreamableHTTPServerTransport {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed(id) {
        ended.push(id);
        transports.delete(id);
      },
      ...(hasEvents ? { eventStore: new KeptEvents() } : {}),
    });
    return transport;
  }

  const server = await startHttpServer(async ({ headers, body }, response, message) => {
    const parsed = body === "" ? undefined : JSON.parse(body);
    const sessionId = headers["mcp-session-id"];
    const known = transports.get(String(sessionId));
    if (known !== undefined) return known.handleRequest(message, response, parsed);
    if (sessionId !== undefined) return response.writeHead(404).end();
    const transport = open();
    const session = new Server({ name: "resumable", version: "1" }, { capabilities: { tools: {} } });
    session.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }));
    session.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
      const count = (calls.get(params.name) ?? 0) + 1;
      calls.set(params.name, count);
      const progressToken = params._meta?.progressToken ?? 0;
      const report = () =>
        sendNotification({ method: "notifications/progress", params: { progressToken, progress: running.size } });
      running.add(report);
      for (const look of watchers) look();
      await finished.promise;
      running.delete(report);
      return { content: [{ type: "text", text: `${params.name} ran ${count} times` }] };
    });
    await session.connect(transport);
    return transport.handleRequest(message, response, parsed);
  });
  return {
    ...server,
    ...{ calls, ended },
    called(name, times) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => (calls.get(name) ?? 0) >= times && resolve();
      watchers.add(look);
      look();
      return promise;
    },
    finish: () => finished.resolve(),
    async progress() {
      await Promise.all([...running].map((report) => report()));
    },
    forget: () => transports.clear(),
  };
}

/** Keeps the events of one session, in order. */
class KeptEvents implements EventStore {
  readonly #events = new Map<string, { readonly streamId: string; readonly message: Message }>();

  async storeEvent(streamId: string, message: Message): Promise<string> {
    const id = crypto.randomUUID();
    this.#events.set(id, { streamId, message });
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.streamId;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: Message) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events.get(lastId)?.streamId;
    if (streamId === undefined) throw new Error("expected the id of an event");
    let isAfter = false;
    for (const [id, event] of this.#events) {
      if (isAfter && event.streamId === streamId) await send(id, event.message);
      if (id === lastId) isAfter = true;
    }
    return streamId;
  }
}

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "@yagate/lib/http/node-http";
import { isJsonObject, isObject, type JsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { LRUCache } from "lru-cache";
import type { MessageRouter } from "./message-router.ts";
import { MAX_MESSAGE_BYTES } from "./server-process.ts";

const HOST = "127.0.0.1";
const MAX_SESSIONS = 1_000;
const SESSION_HEADER = "mcp-session-id";

/** A server as the bridge reaches it. */
export interface BridgedServer {
  readonly router: MessageRouter;
  /** The time until the server starts again, in ms; undefined while it runs. */
  readonly restartsInMs: number | undefined;
}

interface BridgeOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly token: string;
  /** Finds the server under a path. */
  readonly find: (path: string) => BridgedServer | undefined;
}

/** Serves stdio servers over Streamable HTTP on 127.0.0.1. */
export class Bridge {
  readonly #http: Server;
  readonly #options: BridgeOptions;
  /** The sessions, each with the router that it began with. */
  readonly #sessions = new LRUCache<string, MessageRouter>({ max: MAX_SESSIONS });

  private constructor(options: BridgeOptions) {
    this.#options = options;
    this.#http = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** @throws the error of Node if the port is in use. */
  static async open(options: BridgeOptions): Promise<Bridge> {
    const bridge = new Bridge(options);
    bridge.#http.listen(options.port, HOST);
    await once(bridge.#http, "listening");
    return bridge;
  }

  get port(): number {
    const address = this.#http.address();
    return isObject(address) ? address.port : 0;
  }

  /** Returns the URL of a path. */
  urlOf(path: string): string {
    return `http://${HOST}:${this.port}${path}`;
  }

  /** Ends all sessions of a server, which has ended. */
  forgetSessions(router: MessageRouter): void {
    for (const [id, one] of this.#sessions) if (one === router) this.#sessions.delete(id);
  }

  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) return refuse(response, ...refusal);
    const server = this.#options.find(request.url ?? "");
    if (server === undefined) return refuse(response, 404, "no server under this path");
    const given = request.headers[SESSION_HEADER];
    const session = typeof given === "string" ? given : undefined;
    if (session !== undefined && this.#sessions.get(session) !== server.router) {
      return refuse(response, 404, "expected a session of this server");
    }
    if (request.method === "DELETE") {
      if (session !== undefined) this.#sessions.delete(session);
      response.writeHead(204).end();
      return;
    }
    if (request.method !== "POST") return refuse(response, 405, "expected POST or DELETE");
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, `expected at most ${MAX_MESSAGE_BYTES} bytes`);
    const message = parseJsonOrUndefined(body);
    if (!isJsonObject(message)) return refuse(response, 400, "expected one JSON-RPC message");
    if (message["id"] !== undefined && typeof message["method"] === "string") {
      return this.#forward(message, session, server, response);
    }
    if (typeof message["method"] === "string") server.router.notify(message, session);
    response.writeHead(202).end();
  }

  /** Web pages reach loopback addresses too, but cannot choose these headers. */
  #refusalOf({ headers }: IncomingMessage): readonly [number, string] | undefined {
    const hosts = [HOST, "localhost"].map((host) => `${host}:${this.port}`);
    if (!hosts.includes(headers.host ?? "")) return [403, "expected the bridge's own host"];
    if (headers.origin !== undefined) return [403, "expected no Origin header"];
    const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    return timingSafeEqual(digestOf(given), digestOf(this.#options.token)) ? undefined : [401, "expected the token"];
  }

  #forward(message: JsonObject, session: string | undefined, server: BridgedServer, response: ServerResponse): void {
    const isBeginning = message["method"] === "initialize";
    const cancel = server.router.request(message, session, {
      notify(notification) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(eventOf(notification));
      },
      respond: (result) => {
        if (response.headersSent) return void response.end(eventOf(result));
        if (isBeginning && "result" in result) response.setHeader(SESSION_HEADER, this.#begin(server.router));
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
      },
      fail(reason) {
        if (response.headersSent) response.destroy();
        else refuse(response, 502, `the process ${reason} before it responded`);
      },
    });
    if (cancel === undefined) {
      response.setHeader("retry-after", Math.max(1, Math.ceil((server.restartsInMs ?? 0) / 1_000)));
      return refuse(response, 503, "the process has ended and will be restarted");
    }
    response.on("close", () => {
      if (!response.writableFinished) cancel();
    });
  }

  #begin(router: MessageRouter): string {
    const id = randomUUID();
    this.#sessions.set(id, router);
    return id;
  }
}

function eventOf(message: JsonObject): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${reason}\n`);
}

/** Reads a body; undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_MESSAGE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

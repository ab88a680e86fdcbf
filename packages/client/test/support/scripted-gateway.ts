import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as the gateway saw it. */
export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly bodyText: string;
  readonly body: unknown;
}

/** Answers one request. */
export type Responder = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/** A server on loopback that speaks as much of the contract as its script says. */
export interface ScriptedGateway {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Requests to a route, such as `POST /v1/agents`. */
  seenAt(route: string): SeenRequest[];
}

/**
 * Starts it on a free port, for the test that runs.
 *
 * @param script - by method and path: what the first request gets, what the second gets, …; the last one stays. Other
 * routes are 404.
 */
export async function startScriptedGateway(
  script: Record<string, Responder | readonly Responder[]>,
): Promise<ScriptedGateway> {
  const seen: SeenRequest[] = [];
  const routeOf = (request: SeenRequest) => `${request.method} ${request.url.split("?")[0]}`;
  const seenAt = (route: string) => seen.filter((request) => routeOf(request) === route);

  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    seen.push(request);
    const steps = [script[routeOf(request)] ?? problem(404, "NOT_FOUND")].flat();
    const step = steps[Math.min(seenAt(routeOf(request)).length, steps.length) - 1];
    await step?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return { url: `http://127.0.0.1:${address.port}`, seen, seenAt };
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bodyText = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? "",
    url: incoming.url ?? "",
    headers: incoming.headers,
    bodyText,
    body: bodyText === "" ? undefined : JSON.parse(bodyText),
  };
}

/** Answers JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers nothing but a status. */
export function noContent(status = 204): Responder {
  return (response) => {
    response.writeHead(status).end();
  };
}

/** Answers a problem document. */
export function problem(
  status: number,
  code: string,
  { headers = {}, ...members }: { headers?: Record<string, string>; [member: string]: unknown } = {},
): Responder {
  return (response) => {
    response.writeHead(status, { "content-type": "application/problem+json", ...headers });
    const base = { type: "about:blank", title: "failed", status, detail: "it failed", code, requestId: "req_1" };
    response.end(JSON.stringify({ ...base, ...members }));
  };
}

/** Breaks the connection without an answer. */
export const hangUp: Responder = (response) => {
  response.destroy();
};

/** What the clock of the gateway says at the start of each stream. */
export const GATEWAY_DATE = "Sat, 21 Nov 2026 06:00:00 GMT";

/** Answers with an event stream made of these pieces; after the last it ends, breaks, or stays open. */
export function eventStream(
  pieces: readonly string[],
  { ending = "proper" }: { ending?: "proper" | "broken" | "none" } = {},
): Responder {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", date: GATEWAY_DATE });
    response.flushHeaders();
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    if (ending === "proper") response.end();
    // On the next turn of the loop, so that what was written has left.
    if (ending === "broken") setImmediate(() => response.destroy());
  };
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll } from "vitest";

/** A request of a tool, as the API received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** An API that publishes its OpenAPI document, which a test changes while it runs. */
export interface DocumentServer {
  readonly origin: string;
  /** URL of the document. */
  readonly url: string;
  document: unknown;
  /** Answers requests for the document in another way. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The `authorization` headers of the requests for the document. */
  readonly reads: readonly (string | undefined)[];
  /** All other requests. */
  readonly calls: readonly ReceivedRequest[];
}

const opened: Server[] = [];
afterAll(() => {
  for (const server of opened) {
    server.close();
    server.closeAllConnections();
  }
});

/** An operation with a description. */
export function operation(operationId: string | undefined, rest: object = {}) {
  return {
    ...(operationId === undefined ? {} : { operationId }),
    summary: `Runs ${operationId}.`,
    responses: {},
    ...rest,
  };
}

/** A document with the given paths, whose operations are on the server of the document. */
export function documentOf(paths: object, rest: object = {}) {
  return { openapi: "3.1.0", info: { title: "Shop", version: "1" }, servers: [{ url: "/v1" }], paths, ...rest };
}

const ORDER_ID = { name: "id", in: "path", required: true, schema: { type: "string" } };

/** The paths of a shop. */
export const SHOP = {
  "/orders/{id}": { get: operation("getOrder", { parameters: [ORDER_ID] }) },
  "/orders": {
    get: operation("listOrders"),
    post: operation("createOrder", {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } },
          },
        },
      },
    }),
  },
};

/** Starts an API that lives as long as the tests of its file. It answers calls with the path of the request. */
export async function startDocumentServer(document: unknown): Promise<DocumentServer> {
  const reads: (string | undefined)[] = [];
  const calls: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const { authorization } = headers;
    if (url === "/openapi.json") {
      reads.push(authorization);
      if (started.answer !== undefined) return started.answer(request, response);
      const { document: current } = started;
      response.end(typeof current === "string" ? current : JSON.stringify(current));
      return;
    }
    calls.push({ method, url, authorization, body: (await buffer(request)).toString() });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ path: url }));
  });
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const started: DocumentServer = {
    ...{ origin, url: `${origin}/openapi.json`, document, answer: undefined, reads, calls },
  };
  return started;
}

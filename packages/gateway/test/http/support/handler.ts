import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Agent } from "@yagate/protocol";
import { afterAll } from "vitest";

/** A service with tools, that a test answers by hand. */
export interface Handler {
  readonly url: string;
  /** The calls that came in, by their tool call id. */
  readonly calls: readonly string[];
  /** Their headers and bodies, in the same order. */
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }[];
  /** Resolves once `count` calls have come in. */
  called(count: number): Promise<void>;
  /** Answers every call that waits and all that come. */
  release(): void;
}

const opened: Server[] = [];
afterAll(() => {
  for (const server of opened) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a handler that lives as long as the tests of its file; a held one answers nothing before it is released. */
export async function startHandler({
  isHeld = false,
  status = 200,
  body = { result: "ok" } as unknown,
} = {}): Promise<Handler> {
  const calls: string[] = [];
  const requests: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
  const waiting: ServerResponse[] = [];
  let listeners: (() => void)[] = [];
  let holds = isHeld;
  const send = (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    calls.push(String(request.headers["idempotency-key"]));
    if (holds) waiting.push(response);
    else send(response);
    for (const listener of listeners) listener();
  });
  // On a busy machine, an idle connection could end while a call is sent on it.
  server.keepAliveTimeout = 0;
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tools`,
    calls,
    requests,
    called: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (calls.length < count) return;
          listeners = listeners.filter((listener) => listener !== check);
          resolve();
        };
        listeners.push(check);
        check();
      }),
    release() {
      holds = false;
      for (const response of waiting.splice(0)) send(response);
    },
  };
}

/** A handler tool named `work`. */
export function workTool(url: string, rest: Record<string, unknown> = {}): Agent["tools"][number] {
  return {
    name: "work",
    description: "Does the work.",
    parameters: { type: "object" },
    handler: url,
    sideEffect: "read_only",
    ...rest,
  };
}

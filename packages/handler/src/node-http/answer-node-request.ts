import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "../create-handler.ts";
import type { RawCall } from "../raw-call.ts";

/** Reads the body of one request. */
export type ReadBody<Incoming> = (request: Incoming, maxBodyBytes: number) => Promise<Uint8Array>;

/** Runs a handler on a request of `node:http` and writes its answer. It never throws, and answers nobody who has gone. */
export function answerNodeRequest<Incoming extends IncomingMessage>(
  handler: CallHandler,
  request: Incoming,
  response: ServerResponse,
  readBody: ReadBody<Incoming>,
): void {
  const call = new NodeCall(request, response, readBody);
  void handler.answerCall(call).then(({ status, headers, body, byteLength }) => {
    if (response.destroyed || response.headersSent) return;
    response.writeHead(status, { ...headers, "content-length": byteLength });
    // As text, not bytes: Node then writes the head and the body in one piece.
    response.end(body);
  });
}

class NodeCall<Incoming extends IncomingMessage> implements RawCall {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly arrivedAtMs = performance.now();
  readonly #request: Incoming;
  readonly #response: ServerResponse;
  readonly #readBody: ReadBody<Incoming>;
  #controller: AbortController | undefined;

  constructor(request: Incoming, response: ServerResponse, readBody: ReadBody<Incoming>) {
    this.method = request.method ?? "";
    this.headers = request.headers;
    this.#request = request;
    this.#response = response;
    this.#readBody = readBody;
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#watch(new AbortController());
    return this.#controller.signal;
  }

  readBody(maxBodyBytes: number): Promise<Uint8Array> {
    return this.#readBody(this.#request, maxBodyBytes);
  }

  #watch(controller: AbortController): AbortController {
    if (this.#response.destroyed) controller.abort();
    // Aborting after the answer was written would tell a tool that still cleans up that its caller has gone.
    else this.#response.once("close", () => this.#response.writableFinished || controller.abort());
    return controller;
  }
}

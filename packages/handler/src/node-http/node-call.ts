import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawCall } from "../raw-call.ts";

/** Reads the body of one request. */
export type ReadBody<Incoming> = (request: Incoming, maxBodyBytes: number) => Uint8Array | Promise<Uint8Array>;

/** A request from `node:http` whose body has not been read. */
export class NodeCall<Incoming extends IncomingMessage> implements RawCall {
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

  readBody(maxBodyBytes: number): Uint8Array | Promise<Uint8Array> {
    return this.#readBody(this.#request, maxBodyBytes);
  }

  #watch(controller: AbortController): AbortController {
    if (this.#response.destroyed) controller.abort();
    // If the signal were aborted after the response, a tool that is still cleaning up would assume that the client had
    // disconnected.
    else this.#response.once("close", () => this.#response.writableFinished || controller.abort());
    return controller;
  }
}

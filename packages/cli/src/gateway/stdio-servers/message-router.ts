import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";

const METHOD_NOT_FOUND = -32_601;
const DISCOVER = "server/discover";
/** Servers of revisions before 2026-07-28 may ignore requests before `initialize`. */
const DISCOVER_MS = 10_000;

/** Where the messages for one request go. */
export interface ResponseSink {
  /** Takes a notification about the request. */
  notify(message: JsonObject): void;
  /** Takes the response, which is the last message. */
  respond(message: JsonObject): void;
  /** The server has ended without a response. */
  fail(reason: string): void;
}

interface OpenRequest {
  readonly id: unknown;
  /** Undefined for a request outside of a session. */
  readonly session: string | undefined;
  readonly progressToken: unknown;
  readonly sink: ResponseSink;
  readonly timer?: NodeJS.Timeout;
}

interface Initialization {
  /** Undefined until the server has responded. */
  response?: JsonObject;
  /** The connections that wait for the response, each with the id of its request. */
  readonly waiting: Map<ResponseSink, unknown>;
}

/**
 * Passes the messages of many connections to one server and back. Each connection chooses its own ids, so the server
 * gets others. The server is initialized once, and each further connection gets the same response.
 */
export class MessageRouter {
  readonly #send: (message: JsonObject) => boolean;
  readonly #open = new Map<number, OpenRequest>();
  #lastId = 0;
  #initialization: Initialization | undefined;

  /** @param send - sends a message to the server, and returns whether the server runs. */
  constructor(send: (message: JsonObject) => boolean) {
    this.#send = send;
  }

  /**
   * Sends a request.
   *
   * @returns a function that cancels the request; undefined if the server does not run.
   */
  request(message: JsonObject, session: string | undefined, sink: ResponseSink): (() => void) | undefined {
    if (message["method"] === "initialize") return this.#initialize(message, sink);
    return this.#forward(message, session, sink);
  }

  /** Passes on a notification of a client. */
  notify(message: JsonObject, session: string | undefined): void {
    const { method, params } = message;
    if (method === "notifications/cancelled" && isJsonObject(params)) {
      const { requestId } = params;
      for (const [id, open] of this.#open) {
        if (open.session === session && open.id === requestId) this.#cancel(id);
      }
    } else if (method !== "notifications/initialized") this.#send(message);
  }

  /** Takes a message from the server. */
  receive(message: JsonObject): void {
    const { id, method } = message;
    if (typeof method === "string") {
      if (id === undefined) this.#takeNotification(message);
      else this.#answer(id, method);
      return;
    }
    const open = typeof id === "number" ? this.#close(id) : undefined;
    open?.sink.respond({ ...message, id: open.id });
  }

  /** The server has ended. Its successor has received none of the messages so far. */
  reset(reason: string): void {
    const open = [...this.#open.keys()].flatMap((id) => this.#close(id) ?? []);
    this.#initialization = undefined;
    for (const { sink } of open) sink.fail(reason);
  }

  #initialize(message: JsonObject, sink: ResponseSink): (() => void) | undefined {
    const { id } = message;
    const { response, waiting } = this.#initialization ?? {};
    if (response !== undefined) {
      sink.respond({ ...response, id });
      return () => undefined;
    }
    if (waiting !== undefined) {
      waiting.set(sink, id);
      return () => void waiting.delete(sink);
    }
    const state: Initialization = { waiting: new Map([[sink, id]]) };
    this.#initialization = state;
    const cancel = this.#forward(message, undefined, {
      notify: () => undefined,
      respond: (result) => {
        if ("result" in result) {
          state.response = result;
          this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
        } else this.#initialization = undefined;
        for (const [one, oneId] of state.waiting) one.respond({ ...result, id: oneId });
      },
      fail: (reason) => {
        for (const one of state.waiting.keys()) one.fail(reason);
      },
    });
    if (cancel === undefined) {
      this.#initialization = undefined;
      return undefined;
    }
    // The first client may leave while others wait, so the request itself stays.
    return () => void state.waiting.delete(sink);
  }

  #forward(message: JsonObject, session: string | undefined, sink: ResponseSink): (() => void) | undefined {
    this.#lastId += 1;
    const id = this.#lastId;
    const { method, params } = message;
    const meta = isJsonObject(params) ? params["_meta"] : undefined;
    const progressToken = isJsonObject(meta) ? meta["progressToken"] : undefined;
    const sent =
      isJsonObject(params) && isJsonObject(meta) && progressToken !== undefined
        ? { ...message, id, params: { ...params, _meta: { ...meta, progressToken: id } } }
        : { ...message, id };
    const open = { id: message["id"], session, progressToken, sink };
    if (method === DISCOVER) {
      const error = { code: METHOD_NOT_FOUND, message: "the server did not respond to server/discover" };
      const timer = setTimeout(() => this.receive({ jsonrpc: "2.0", id, error }), DISCOVER_MS);
      this.#open.set(id, { ...open, timer });
    } else this.#open.set(id, open);
    if (!this.#send(sent)) {
      this.#close(id);
      return undefined;
    }
    return () => this.#cancel(id);
  }

  #cancel(id: number): void {
    if (this.#close(id) === undefined) return;
    this.#send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  }

  #close(id: number): OpenRequest | undefined {
    const open = this.#open.get(id);
    clearTimeout(open?.timer);
    this.#open.delete(id);
    return open;
  }

  #takeNotification(message: JsonObject): void {
    const { params } = message;
    const token = isJsonObject(params) ? params["progressToken"] : undefined;
    const open = typeof token === "number" ? this.#open.get(token) : undefined;
    if (open === undefined || !isJsonObject(params)) return;
    open.sink.notify({ ...message, params: { ...params, progressToken: open.progressToken } });
  }

  /** The gateway declares no capability that would allow a server to ask for anything. */
  #answer(id: unknown, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `the client does not support ${method}` };
    this.#send({ jsonrpc: "2.0", id, ...(method === "ping" ? { result: {} } : { error }) });
  }
}

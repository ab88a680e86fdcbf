/// <reference path="./undici-files.d.ts" />
import type { Dispatcher } from "undici";
import symbols from "undici/lib/core/symbols.js";
import Client from "undici/lib/dispatcher/client.js";
import { type Connection, ConnectionSlot } from "./connection.ts";
import type { Connector } from "./connector.ts";

/** Dispatch options for a request that observes its connection. */
export interface ObservedDispatchOptions extends Dispatcher.DispatchOptions {
  /** Called when a client accepts the request, before the connection is opened. */
  readonly onSlot: (slot: ConnectionSlot) => void;
}

/**
 * A client with a single connection, which only the guard's connector opens. The connection is closed when it reaches
 * its maximum age or its maximum idle time.
 */
export class PinnedClient extends Client {
  readonly #slot: ConnectionSlot;
  readonly #maxAgeMs: number;

  constructor(origin: URL, options: Client.Options, connector: Connector, maxAgeMs: number) {
    const slot = new ConnectionSlot();
    super(origin, {
      ...options,
      connect: (target, callback) => connector.connect(target, slot, callback),
      // With more than one, undici might automatically send a request again when the previous one fails.
      pipelining: 1,
    });
    this.#slot = slot;
    this.#maxAgeMs = maxAgeMs;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const connection = this.#slot.current;
    if (connection !== null && this.#isExpired(connection)) {
      this.dropIdle();
    }
    if (isObserved(options)) {
      options.onSlot(this.#slot);
    }
    return super.dispatch(options, handler);
  }

  #isExpired(connection: Connection): boolean {
    if (performance.now() - connection.startedAt > this.#maxAgeMs) {
      return true;
    }
    // Undici closes idle connections with timers, and those stop while the machine sleeps. Meanwhile, the server may have
    // closed the connection. A request over it would fail, and it would be unknown whether the server received it.
    const maxIdleMs: unknown = Reflect.get(this, symbols.kKeepAliveTimeoutValue);
    return typeof maxIdleMs === "number" && connection.idleMs > maxIdleMs;
  }

  /**
   * Closes the connection if it carries no request, and returns whether it did. The next request opens another
   * connection.
   */
  dropIdle(): boolean {
    const socket = this.#slot.current?.socket ?? null;
    const isIdle = socket !== null && !socket.destroyed && this.stats.size === 0;
    if (isIdle) {
      socket.destroy();
    }
    return isIdle;
  }
}

function isObserved(options: Dispatcher.DispatchOptions): options is ObservedDispatchOptions {
  return "onSlot" in options;
}

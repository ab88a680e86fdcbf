import { Client, type Dispatcher } from "undici";
import { ConnectionSlot } from "./connection.ts";
import type { Connector } from "./connector.ts";

/** Dispatch options of a request that wants to know the connection that it goes over. */
export interface ObservedDispatchOptions extends Dispatcher.DispatchOptions {
  /** Called when a client takes the request, before the connection is made. */
  readonly onSlot: (slot: ConnectionSlot) => void;
}

/** A client of one connection, made by our connector only, and not kept past its age. */
export class PinnedClient extends Client {
  readonly #slot: ConnectionSlot;
  readonly #maxAgeMs: number;

  constructor(origin: URL, options: Client.Options, connector: Connector, maxAgeMs: number) {
    const slot = new ConnectionSlot();
    super(origin, {
      ...options,
      connect: (target, callback) => connector.connect(target, slot, callback),
      // More than one would let undici send a request again on its own when the one before it fails.
      pipelining: 1,
    });
    this.#slot = slot;
    this.#maxAgeMs = maxAgeMs;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const connection = this.#slot.current;
    if (connection !== null && performance.now() - connection.startedAt > this.#maxAgeMs) {
      this.dropIdle();
    }
    if (isObserved(options)) {
      options.onSlot(this.#slot);
    }
    return super.dispatch(options, handler);
  }

  /** Closes the connection unless a request is on it; the next request makes a new one. */
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

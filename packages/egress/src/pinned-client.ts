import { Client, type Dispatcher } from "undici";
import { ConnectionSlot } from "./connection.ts";
import type { Connector } from "./connector.ts";

/** Dispatch options of a request that observes its connection. */
export interface ObservedDispatchOptions extends Dispatcher.DispatchOptions {
  /** Called when a client takes the request, before the connection is opened. */
  readonly onSlot: (slot: ConnectionSlot) => void;
}

/** A client for one connection, which only our connector opens. It is not kept beyond its maximum age. */
export class PinnedClient extends Client {
  readonly #slot: ConnectionSlot;
  readonly #maxAgeMs: number;

  constructor(origin: URL, options: Client.Options, connector: Connector, maxAgeMs: number) {
    const slot = new ConnectionSlot();
    super(origin, {
      ...options,
      connect: (target, callback) => connector.connect(target, slot, callback),
      // With more than one, undici could send a request again on its own when the one before it fails.
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

  /** Closes the connection unless it carries a request; the next request opens a new one. */
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

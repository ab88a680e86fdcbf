import { Agent, type Client, type Dispatcher, Pool } from "undici";
import type { Connector } from "./connector.ts";
import { type ObservedDispatchOptions, PinnedClient } from "./pinned-client.ts";
import type { EgressLimits } from "./policy.ts";

/** All connections of one guard. */
export class ConnectionPool {
  readonly #agent: Agent;
  readonly #connector: Connector;
  readonly #limits: EgressLimits;
  /** In the order in which they were made. */
  readonly #connected = new Set<PinnedClient>();

  constructor(connector: Connector, limits: EgressLimits) {
    this.#connector = connector;
    this.#limits = limits;
    const options: Client.Options = {
      maxHeaderSize: limits.responseHeaderBytes,
      keepAliveTimeout: limits.keepAliveMs,
      keepAliveMaxTimeout: limits.connectionAgeMs,
      // A second net: each request has a deadline of its own.
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
      // A client that is made in another way than below can't connect.
      connect: (_target, callback) => callback(new Error("connections are made by the guard's connector only"), null),
    };
    this.#agent = new Agent({
      ...options,
      maxOrigins: limits.connections * 2,
      factory: (origin) =>
        new Pool(origin, {
          ...options,
          connections: limits.connectionsPerOrigin,
          factory: (clientOrigin) => this.#createClient(clientOrigin, options),
        }),
    });
  }

  dispatch(options: ObservedDispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#connected.size >= this.#limits.connections) {
      this.#dropOldestIdle();
    }
    this.#agent.dispatch(options, handler);
  }

  /** Fails all that is under way; resolves when the sockets are closed. */
  async close(): Promise<void> {
    this.#connector.close();
    const clients = [...this.#connected];
    await this.#agent.destroy();
    // A client whose connection once failed is no longer known to its pool, yet may have connected again.
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #createClient(origin: URL, options: Client.Options): PinnedClient {
    const client = new PinnedClient(origin, options, this.#connector, this.#limits.connectionAgeMs);
    client.on("connect", () => this.#connected.add(client));
    client.on("disconnect", () => this.#connected.delete(client));
    return client;
  }

  #dropOldestIdle(): void {
    for (const client of this.#connected) {
      if (client.dropIdle()) {
        return;
      }
    }
  }
}

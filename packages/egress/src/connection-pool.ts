import { LRUCache } from "lru-cache";
import { Agent, type Client, type Dispatcher, Pool } from "undici";
import type { Connector } from "./connector.ts";
import { type ObservedDispatchOptions, PinnedClient } from "./pinned-client.ts";
import type { EgressLimits } from "./policy.ts";

/** Number of groups whose connections are kept: those used last. */
const MAX_GROUPS = 1_000;

/** All connections of one guard. Each group has its own, so that no group can use up all connections to one origin. */
export class ConnectionPool {
  readonly #connector: Connector;
  readonly #limits: EgressLimits;
  readonly #options: Client.Options;
  readonly #agents = new LRUCache<string, Agent>({ max: MAX_GROUPS, dispose: (agent) => this.#retire(agent) });
  /** These finish their requests and accept no new ones. */
  readonly #closing = new Set<Agent>();
  /** In the order of their creation. */
  readonly #connected = new Set<PinnedClient>();

  constructor(connector: Connector, limits: EgressLimits) {
    this.#connector = connector;
    this.#limits = limits;
    this.#options = {
      maxHeaderSize: limits.responseHeaderBytes,
      keepAliveTimeout: limits.keepAliveMs,
      keepAliveMaxTimeout: limits.connectionAgeMs,
      // A safety net: each request has its own deadline.
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
      // A client created in any other way can't connect.
      connect: (_target, callback) => callback(new Error("only the guard's connector may open connections"), null),
    };
  }

  dispatch(group: string, options: ObservedDispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#connected.size >= this.#limits.connections) {
      this.#dropOldestIdle();
    }
    this.#agentOf(group).dispatch(options, handler);
  }

  /** Fails all requests in flight; resolves when the sockets are closed. */
  async close(): Promise<void> {
    this.#connector.close();
    const clients = [...this.#connected];
    await Promise.all([...this.#agents.values(), ...this.#closing].map((agent) => agent.destroy()));
    // The pool forgets a client whose connection failed once, although it may have connected again.
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #agentOf(group: string): Agent {
    const known = this.#agents.get(group);
    if (known !== undefined) return known;
    const agent = this.#createAgent();
    this.#agents.set(group, agent);
    return agent;
  }

  #retire(agent: Agent): void {
    this.#closing.add(agent);
    // It rejects only if it is destroyed meanwhile.
    const forget = () => this.#closing.delete(agent);
    agent.close().then(forget, forget);
  }

  #createAgent(): Agent {
    const { connections, connectionsPerOrigin } = this.#limits;
    return new Agent({
      ...this.#options,
      maxOrigins: connections * 2,
      factory: (origin) =>
        new Pool(origin, {
          ...this.#options,
          connections: connectionsPerOrigin,
          factory: (clientOrigin) => this.#createClient(clientOrigin),
        }),
    });
  }

  #createClient(origin: URL): PinnedClient {
    const client = new PinnedClient(origin, this.#options, this.#connector, this.#limits.connectionAgeMs);
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

/// <reference path="./undici-files.d.ts" />
import { LRUCache } from "lru-cache";
import type { Client, Dispatcher } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import type { Connector } from "./connector.ts";
import { type ObservedDispatchOptions, PinnedClient } from "./pinned-client.ts";
import type { EgressLimits } from "./policy.ts";

/** Maximum number of groups whose connections are kept. The least recently used group is dropped. */
const MAX_GROUPS = 1_000;

/**
 * The connections of one guard. Each group has its own connections, so no group can use up all connections to an
 * origin.
 */
export class ConnectionPool {
  readonly #connector: Connector;
  readonly #limits: EgressLimits;
  readonly #options: Client.Options;
  readonly #agents = new LRUCache<string, Agent>({ max: MAX_GROUPS, dispose: (agent) => this.#retire(agent) });
  /** Agents that still finish their requests, but accept no new ones. */
  readonly #closing = new Set<Agent>();
  /** Ordered by time of creation. */
  readonly #connected = new Set<PinnedClient>();

  constructor(connector: Connector, limits: EgressLimits) {
    this.#connector = connector;
    this.#limits = limits;
    this.#options = {
      maxHeaderSize: limits.responseHeaderBytes,
      keepAliveTimeout: limits.keepAliveMs,
      keepAliveMaxTimeout: limits.connectionAgeMs,
      // A safety net, because each request also has a deadline.
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
      // A client that is created anywhere else cannot connect.
      connect: (_target, callback) => callback(new Error("only the guard's connector may open connections"), null),
    };
  }

  dispatch(group: string, options: ObservedDispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#connected.size >= this.#limits.connections) {
      this.#dropOldestIdle();
    }
    this.#agentOf(group).dispatch(options, handler);
  }

  /** Fails all requests in flight. Resolves when the sockets are closed. */
  async close(): Promise<void> {
    this.#connector.close();
    const clients = [...this.#connected];
    await Promise.all([...this.#agents.values(), ...this.#closing].map((agent) => agent.destroy()));
    // The pool forgets a client after one failed connection, even if the client has connected again since then.
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
    // Rejects only if the agent is destroyed while it closes.
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

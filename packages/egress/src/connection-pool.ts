/// <reference path="./undici-files.d.ts" />
import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import symbols from "undici/lib/core/symbols.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Client from "undici/lib/dispatcher/client.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { type Connection, ConnectionSlot, type Connector } from "./connector.ts";
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

/** Dispatch options for a request that observes its connection. */
interface ObservedDispatchOptions extends Dispatcher.DispatchOptions {
  /** Called when a client accepts the request, before the connection is opened. */
  readonly onSlot: (slot: ConnectionSlot) => void;
}

/**
 * A client with a single connection, which only the guard's connector opens. The connection is closed when it reaches
 * its maximum age or its maximum idle time.
 */
class PinnedClient extends Client {
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

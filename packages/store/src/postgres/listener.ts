import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { connectionSettings, type Sockets, timedQuery } from "./connection-settings.ts";
import { SHARE_STORE } from "./in-use.ts";

const RECONNECT_AFTER_MS = { first: 100, most: 2_000 } as const;
/** How often the connection is checked: a connection that only listens does not notice a network failure. */
const CHECK_EVERY_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Options for {@link Listener}. */
export interface ListenerOptions {
  readonly databaseUrl: string;
  readonly sockets: Sockets;
  /** The function that receives the notifications of each channel. Channel names are unquoted. */
  readonly channels: ReadonlyMap<string, (payload: string) => void>;
  /** Called whenever the connection starts to listen. Notifications sent before that were not received. */
  readonly onListening: () => void;
}

/** The connection that receives notifications from other replicas. It reconnects automatically. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #client: Client | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#ended = this.#listenUntilClosed();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end();
    await this.#ended;
  }

  async #listenUntilClosed(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs: number = RECONNECT_AFTER_MS.first;
    while (!signal.aborted) {
      const hasListened = await this.#listenOnce().catch(() => false);
      pauseMs = hasListened ? RECONNECT_AFTER_MS.first : Math.min(pauseMs * 2, RECONNECT_AFTER_MS.most);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended. */
  async #listenOnce(): Promise<boolean> {
    const client = new Client({
      ...connectionSettings(this.#options.databaseUrl, this.#options.sockets),
      statement_timeout: CHECK_TIMEOUT_MS,
    });
    this.#client = client;
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    let check: NodeJS.Timeout | undefined;
    try {
      // The library never settles connect() if the client is ended while it is connecting.
      const connected = client.connect().then(() => true);
      if (!(await Promise.race([connected, ended.then(() => false)]))) return false;
      const { rows } = await client.query<{ is_locked: boolean }>(SHARE_STORE);
      if (rows[0]?.is_locked !== true) return false;
      const { channels } = this.#options;
      client.on("notification", ({ channel, payload = "" }) => channels.get(channel)?.(payload));
      await client.query([...channels.keys()].map((channel) => `LISTEN "${channel}"`).join("; "));
      if (this.#closing.signal.aborted) return true;
      this.#options.onListening();
      check = setInterval(() => {
        client.query(timedQuery({ text: "SELECT 1" }, CHECK_TIMEOUT_MS)).catch(() => client.end());
      }, CHECK_EVERY_MS);
      await ended;
      return true;
    } finally {
      clearInterval(check);
      await client.end();
    }
  }
}

import { Socket } from "node:net";
import { type ClientConfig, type QueryConfig, types } from "pg";

/** The sockets below the connections of one store, so that its end does not wait for a server that says nothing. */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** A socket that the library connects and wraps. */
  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** How long a new connection may take. */
const CONNECT_TIMEOUT_MS = 5_000;
/** After this the server ends a statement by itself. */
const STATEMENT_TIMEOUT_MS = 20_000;
/** A process that was frozen inside a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

const INT8_OID = 20;

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("expected an integer that a double can hold");
  return value;
}

/** Numbers stay numbers: times and counts are far below 2^53. Set on our connections alone, not on the library. */
const ownTypes: NonNullable<ClientConfig["types"]> = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8_OID && format !== "binary"
      ? toSafeInteger
      : types.getTypeParser(oid, format === "binary" ? "binary" : "text"),
};

/** What every connection to the database has in common. Parameters in the URL win over these. */
export function connectionSettings(databaseUrl: string, sockets: Sockets): ClientConfig {
  return {
    stream: () => sockets.create(),
    connectionString: databaseUrl,
    application_name: "yagate",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: ownTypes,
  };
}

/**
 * A statement with a limit of its own: the library rejects after it, and then the connection can't be used any more. Its
 * types know this setting of whole connections only.
 */
export function timedQuery(query: QueryConfig, timeoutMs: number): QueryConfig & { readonly query_timeout: number } {
  return { ...query, query_timeout: timeoutMs };
}

import { Socket } from "node:net";
import { type ClientConfig, type QueryConfig, types } from "pg";

/**
 * The sockets of a store's connections. Closing destroys them, so that it need not wait for a server that does not
 * respond.
 */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** Creates a socket that the library connects and wraps. */
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

/** Timeout of a new connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** After this, the server aborts a statement. */
const STATEMENT_TIMEOUT_MS = 20_000;
/** Timeout of an idle transaction: a process that is frozen must not keep its locks forever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

const INT8_OID = 20;

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("expected an integer that a double can represent exactly");
  return value;
}

/**
 * Parses int8 as a number, because times and counts are far below 2^53. These parsers apply only to connections of the
 * store; the library's defaults stay unchanged.
 */
const ownTypes: NonNullable<ClientConfig["types"]> = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8_OID && format !== "binary"
      ? toSafeInteger
      : types.getTypeParser(oid, format === "binary" ? "binary" : "text"),
};

/** Returns the settings of every connection to the database. Parameters in the URL take precedence. */
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
 * Adds a client-side timeout to a statement. After the timeout, the query rejects and the connection can no longer be
 * used. The library supports this setting per statement, but its types declare it only for connections.
 */
export function timedQuery(query: QueryConfig, timeoutMs: number): QueryConfig & { readonly query_timeout: number } {
  return { ...query, query_timeout: timeoutMs };
}

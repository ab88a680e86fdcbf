import { createHash } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import { Pool, type PoolClient } from "pg";
import { connectionSettings, type Sockets, timedQuery } from "./connection-settings.ts";
import { fateOf, StatementError, toStoreError } from "./store-error.ts";

/** Values that a statement may bind; arrays contain one value per row. */
export type Bindable = string | number | null | readonly (string | number | null)[];

/** A statement that is prepared once per connection. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements on one connection. @throws StatementError. */
export interface Session {
  run<Row>(statement: NamedStatement, values: readonly Bindable[], timeoutMs?: number): Promise<readonly Row[]>;
  /** Runs SQL that contains no external values. @returns the server's command tag. */
  execute(text: string, timeoutMs?: number): Promise<string>;
}

/**
 * The purpose of a connection. Each purpose has a separate pool, so many readers never delay the renewal of a lease.
 */
export type Purpose = "leases" | "writes" | "reads";

/** Options for {@link Database}. */
export interface DatabaseOptions {
  readonly databaseUrl: string;
  readonly sockets: Sockets;
  /** Maximum number of connections per purpose. */
  readonly connections: Readonly<Record<Purpose, number>>;
  /** Called when an idle connection breaks. The next statement opens another one. */
  readonly onError: (error: unknown) => void;
}

/** Idle connections are closed after this time. */
const IDLE_TIMEOUT_MS = 60_000;
/** Client-side timeout of a statement, needed because a network failure may cause no error. */
const DEFAULT_TIMEOUT_MS = 10_000;
const NAME_DIGITS = 20;

/**
 * Settings that override the server's defaults: an acknowledged commit is on the disk, and each statement sees all data
 * committed before it.
 */
const SESSION_SETTINGS = `
  SELECT set_config('default_transaction_isolation', 'read committed', false),
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/** Creates a statement with a name. Each connection prepares it on first use. */
export function named(text: string): NamedStatement {
  return { name: `yg_${createHash("sha256").update(text).digest("hex").slice(0, NAME_DIGITS)}`, text };
}

/** The connections to one PostgreSQL database. */
export class Database {
  readonly #pools: Readonly<Record<Purpose, Pool>>;
  #closing: Promise<unknown> | undefined;

  constructor({ databaseUrl, sockets, connections, onError }: DatabaseOptions) {
    const open = (purpose: Purpose) => {
      const pool = new Pool({
        ...connectionSettings(databaseUrl, sockets),
        max: connections[purpose],
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
        onConnect: async (client) => {
          await client.query(timedQuery({ text: SESSION_SETTINGS }, DEFAULT_TIMEOUT_MS));
        },
      });
      pool.on("error", onError);
      // An unhandled error event would end the process, and an idle connection has no other listener.
      pool.on("connect", (client) => client.on("error", () => undefined));
      return pool;
    };
    this.#pools = { leases: open("leases"), writes: open("writes"), reads: open("reads") };
  }

  /**
   * Runs work on a connection. A broken connection is not reused. @throws StatementError `unsent` if no connection
   * could be opened.
   */
  async use<Result>(purpose: Purpose, work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.#connect(purpose);
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await work(sessionOn(client));
    } catch (error) {
      const isUsable = YagateError.is(error) || (error instanceof StatementError && error.fate === "aborted");
      if (!isUsable) broken ??= new Error("expected a working connection", { cause: error });
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /** Runs one statement on any connection of a purpose, in its own transaction. @throws StatementError. */
  run<Row>(
    purpose: Purpose,
    statement: NamedStatement,
    values: readonly Bindable[],
    timeoutMs?: number,
  ): Promise<readonly Row[]> {
    return this.use(purpose, (session) => session.run<Row>(statement, values, timeoutMs));
  }

  /** Waits for running work, then closes all connections. */
  async close(): Promise<void> {
    this.#closing ??= Promise.all(Object.values(this.#pools).map((pool) => pool.end()));
    await this.#closing;
  }

  async #connect(purpose: Purpose): Promise<PoolClient> {
    if (this.#closing !== undefined) throw new YagateError("UNAVAILABLE", "the store is closed");
    try {
      return await this.#pools[purpose].connect();
    } catch (error) {
      throw new StatementError("unsent", error);
    }
  }
}

function sessionOn(client: PoolClient): Session {
  return {
    async run<Row>({ name, text }: NamedStatement, values: readonly Bindable[], timeoutMs = DEFAULT_TIMEOUT_MS) {
      assertStorable(values);
      try {
        const { rows } = await client.query(timedQuery({ name, text, values: [...values] }, timeoutMs));
        // The rows are our own: their shape is declared next to the statement.
        return rows as readonly Row[];
      } catch (error) {
        throw new StatementError(fateOf(error), error);
      }
    },
    async execute(text, timeoutMs = DEFAULT_TIMEOUT_MS) {
      try {
        const { command } = await client.query(timedQuery({ text }, timeoutMs));
        return command;
      } catch (error) {
        throw new StatementError(fateOf(error), error);
      }
    },
  };
}

/**
 * Checks that strings can be stored: PostgreSQL cannot store U+0000. JSON escapes this character, so only strings
 * outside JSON can contain it.
 */
function assertStorable(values: readonly Bindable[]): void {
  for (const value of values) {
    if (typeof value === "string" && value.includes("\0")) {
      throw new YagateError("INVALID_REQUEST", "expected strings without the character U+0000");
    }
  }
}

/** Runs a read, and repeats it at most twice if the connection was lost. @throws YagateError. */
export async function repeatRead<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const isLost = error instanceof StatementError && error.fate === "lost";
      if (!isLost || attempt === 3) throw toStoreError(error);
    }
  }
}

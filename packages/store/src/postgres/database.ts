import { createHash } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import { Pool, type PoolClient } from "pg";
import { connectionSettings, type Sockets, timedQuery } from "./connection-settings.ts";
import { fateOf, StatementError, toStoreError } from "./store-error.ts";

/** What a statement here may bind: arrays stand for many rows. */
export type Bindable = string | number | null | readonly (string | number | null)[];

/** A text that is prepared once on each connection. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements on one connection. @throws StatementError. */
export interface Session {
  run<Row>(statement: NamedStatement, values: readonly Bindable[], timeoutMs?: number): Promise<readonly Row[]>;
  /** For texts that hold no value from outside. @returns the command as the server names what it did. */
  execute(text: string): Promise<string>;
}

/**
 * What the connections are for. Each purpose has its own, so that a crowd of readers never keeps a lease from being
 * renewed.
 */
export type Purpose = "leases" | "writes" | "reads";

/** Options of {@link Database}. */
export interface DatabaseOptions {
  readonly databaseUrl: string;
  readonly sockets: Sockets;
  /** How many connections to open at most for each purpose. */
  readonly connections: Readonly<Record<Purpose, number>>;
  /** Is told that an idle connection broke; the next statement opens another one. */
  readonly onError: (error: unknown) => void;
}

/** A connection is let go after it was idle for so long. */
const IDLE_TIMEOUT_MS = 60_000;
/** Longest that a statement may take as seen from here: the network may be gone without a word. */
const DEFAULT_TIMEOUT_MS = 10_000;
const NAME_DIGITS = 20;

/** A commit that is acknowledged is on the disk, and statements see what was committed, whatever the server's defaults. */
const SESSION_SETTINGS = `
  SELECT set_config('default_transaction_isolation', 'read committed', false),
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/** Prepares nothing yet: gives a text the name that it is prepared under. */
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
      // Between two owners of a connection nobody else listens, and an error that nobody hears ends the process.
      pool.on("connect", (client) => client.on("error", () => undefined));
      return pool;
    };
    this.#pools = { leases: open("leases"), writes: open("writes"), reads: open("reads") };
  }

  /** Takes a connection for a piece of work; one that broke is not used again. @throws StatementError `unsent`. */
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
      if (!isUsable) broken ??= new Error("expected a connection that works", { cause: error });
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /** One statement on any connection of a purpose, in a transaction of its own. @throws StatementError. */
  run<Row>(
    purpose: Purpose,
    statement: NamedStatement,
    values: readonly Bindable[],
    timeoutMs?: number,
  ): Promise<readonly Row[]> {
    return this.use(purpose, (session) => session.run<Row>(statement, values, timeoutMs));
  }

  /** Waits for what is on its way, then ends all connections. */
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
        // The rows are our own: their shape was written beside the statement.
        return rows as readonly Row[];
      } catch (error) {
        throw new StatementError(fateOf(error), error);
      }
    },
    async execute(text) {
      try {
        const { command } = await client.query(timedQuery({ text }, DEFAULT_TIMEOUT_MS));
        return command;
      } catch (error) {
        throw new StatementError(fateOf(error), error);
      }
    },
  };
}

/** PostgreSQL's texts hold every character but this one. JSON escapes it, so only plain texts can bring it. */
function assertStorable(values: readonly Bindable[]): void {
  for (const value of values) {
    if (typeof value === "string" && value.includes("\0")) {
      throw new YagateError("INVALID_REQUEST", "expected texts without the character U+0000");
    }
  }
}

/** Repeats a read that lost its connection: reading twice changes nothing. @throws YagateError. */
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

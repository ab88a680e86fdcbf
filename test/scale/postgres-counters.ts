import { readdirSync } from "node:fs";
import { Client } from "pg";
import { statOf, TICK_MS } from "./process-stat.ts";

/** What a PostgreSQL server has done so far. */
export interface Counters {
  /**
   * Committed transactions in this database: nearly every statement of the gateway is one by itself, and so is the
   * reception of a notification in each connection that listens.
   */
  readonly transactions: number;
  readonly walBytes: number;
  /** Whole pages in the write-ahead log, one for each page that is changed first after a checkpoint. */
  readonly walFullPages: number;
  /** CPU time of all processes of the server, in ms. */
  readonly cpuMs: number;
}

/** Watches a server. Counts of a connection are complete once it has been closed. */
export interface CounterReader {
  read(): Promise<Counters>;
  /** Bytes on the disk of each table with its indexes, and how many rows the table of executions has. */
  sizes(): Promise<{
    readonly tables: Readonly<Record<string, number>>;
    readonly executions: number;
    readonly appends: number;
  }>;
  close(): Promise<void>;
}

const COUNTERS = `
  SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::float8 AS transactions,
    (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS wal_bytes,
    (SELECT wal_fpi FROM pg_stat_wal)::float8 AS wal_full_pages`;
const SIZES = `
  SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

export async function watchPostgres(databaseUrl: string): Promise<CounterReader> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: own } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postmaster = statOf(own[0]?.pid ?? 0)?.parent ?? 0;
  return {
    async read() {
      const { rows } = await client.query<{ transactions: number; wal_bytes: number; wal_full_pages: number }>(
        COUNTERS,
      );
      const { transactions = 0, wal_bytes: walBytes = 0, wal_full_pages: walFullPages = 0 } = rows[0] ?? {};
      return { transactions, walBytes, walFullPages, cpuMs: cpuOf(postmaster) };
    },
    async sizes() {
      const { rows } = await client.query<{ name: string; bytes: number }>(SIZES);
      const count = async (table: string) =>
        (await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${table}`)).rows[0]?.count ?? 0;
      return {
        tables: Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])),
        executions: await count("executions"),
        appends: await count("appends"),
      };
    },
    close: () => client.end(),
  };
}

/** CPU of a process, of its children that live, and of those that have ended. */
function cpuOf(postmaster: number): number {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = processes.flatMap((name) => {
    const stat = statOf(Number(name));
    return stat?.parent === postmaster ? [stat.ownTicks] : [];
  });
  const main = statOf(postmaster);
  const ticks = children.reduce((sum, own) => sum + own, (main?.ownTicks ?? 0) + (main?.endedChildrenTicks ?? 0));
  return ticks * TICK_MS;
}

import { YagateError } from "@yagate/protocol";
import { hashedPair, plainPair } from "../events/execution-list.ts";
import { createLookups } from "../events/lookups.ts";
import type { Store } from "../port.ts";
import { Sockets } from "../postgres/connection-settings.ts";
import { Database } from "../postgres/database.ts";
import { migrate } from "../postgres/migrations/migrate.ts";
import { toStoreError } from "../postgres/store-error.ts";
import { createUnits } from "../postgres/units.ts";
import { createTables } from "../tables/create-tables.ts";
import type { UnitRunner } from "../unit-of-work.ts";
import type { MoveRecord } from "./progress.ts";
import { type Key, keyOf, openSource, type Row, type Source } from "./source.ts";
import { type MovedTable, movedTables } from "./tables.ts";
import { openTarget, type Target, takeTarget } from "./target.ts";
import { compareMetadata, compareTable, type Difference } from "./verify.ts";

export type { Difference } from "./verify.ts";

/** The parts of a store that can be read while it is moved. */
export interface MovedStore extends Pick<Store, "agents" | "workspaces" | "records" | "settings"> {
  readonly eventStore: Pick<Store["eventStore"], "find">;
}

/** An execution of the source. */
export interface MovedExecution {
  readonly id: string;
  readonly workspaceId: string;
}

/** What a move is doing. */
export interface MoveProgress {
  readonly step: "copy" | "compare" | "receipts";
  /** Rows; executions in the last step. */
  readonly done: number;
  readonly total: number;
}

/** Options for {@link moveStore}. */
export interface MoveOptions {
  /** The data directory of the source. */
  readonly dataDir: string;
  /** The URL of the target. */
  readonly databaseUrl: string;
  /** Called before anything is copied. The move ends if it rejects. */
  readonly onSource: (source: MovedStore) => Promise<void>;
  /** Compares an execution of both stores. Returns what is different. */
  readonly compareExecution: (
    execution: MovedExecution,
    stores: { readonly source: MovedStore; readonly target: MovedStore },
  ) => Promise<string | undefined>;
  readonly onProgress: (progress: MoveProgress) => void;
}

/** The result of a move. */
export interface MoveReport {
  /** What happened: `resumed` continued a copy that was interrupted; `already_moved` found the target complete. */
  readonly outcome: "moved" | "resumed" | "already_moved";
  readonly tables: number;
  readonly rows: number;
  readonly executions: number;
  /** Executions that have not ended. */
  readonly unfinished: number;
  /** Differences between the stores; at most 20. If there are any, no gateway can use the target. */
  readonly differences: readonly Difference[];
}

const MAX_DIFFERENCES = 20;
const CONNECTIONS = { leases: 1, writes: 1, reads: 4 } as const;

/**
 * Copies a SQLite store into an empty PostgreSQL database and compares both. An interrupted copy continues at the next
 * call; if the source has changed since, it starts again. No gateway can use the target before the copy is complete.
 *
 * @throws YagateError `UNAVAILABLE` if a store can't be read or written, or the source is in use; `CONFLICT` if the
 *   target is in use or contains other data.
 */
export async function moveStore(options: MoveOptions): Promise<MoveReport> {
  const { dataDir, databaseUrl } = options;
  const source = await openSource(dataDir);
  const sockets = new Sockets();
  const database = new Database({ databaseUrl, sockets, connections: CONNECTIONS, onError: () => undefined });
  try {
    await options.onSource(movedStore(source.units, plainPair));
    // Checks the database and changes nothing.
    await migrate(databaseUrl, { isCheck: true, isMove: true, upTo: 0 });
    return await database.use("writes", async (session) => {
      await takeTarget(session);
      const found = await findMove(source, await openTarget(session));
      // No gateway of an older version has used an empty database.
      await migrate(databaseUrl, { isMove: true, isLast: found === undefined });
      return await move({ source, target: await openTarget(session), database, found }, options);
    });
  } catch (error) {
    throw toStoreError(error);
  } finally {
    source.close();
    await database.close();
    sockets.destroyAll();
  }
}

function movedStore(units: UnitRunner, pairOf: typeof plainPair): MovedStore {
  return { ...createTables(units), eventStore: createLookups(units, pairOf) };
}

interface Stores {
  readonly source: Source;
  readonly target: Target;
  readonly database: Database;
  /** How far an earlier call came. */
  readonly found: MoveRecord | undefined;
}

async function move({ source, target, database, found }: Stores, options: MoveOptions): Promise<MoveReport> {
  const tables = movedTables(source.columns, target.columns);
  const counts = new Map(tables.map((table) => [table.name, source.count(table)]));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const report = {
    ...{ tables: tables.length, rows, executions: counts.get("executions") ?? 0 },
    unfinished: source.unfinished(),
  };
  const isResumed = found?.state === source.state;
  const start = isResumed ? found : await restart(source, target);
  if (start.phase === "finished") return { ...report, outcome: "already_moved", differences: [] };
  if (start.phase === "copying") await copy(source, target, tables, start, rows, options.onProgress);
  const differences = [
    ...(await compareRows(source, target, tables, rows, options.onProgress)),
    ...(await compareExecutions(source, database, report.executions, options)),
  ];
  if (differences.length === 0) await target.setRecord({ ...start, phase: "finished", table: "", after: null });
  return { ...report, outcome: isResumed ? "resumed" : "moved", differences: differences.slice(0, MAX_DIFFERENCES) };
}

/**
 * Finds out how far an earlier call came, before anything is changed in the target.
 *
 * @throws YagateError `CONFLICT` if the target contains other data.
 */
async function findMove({ id, state }: Source, target: Target): Promise<MoveRecord | undefined> {
  const found = await target.record();
  if (found !== undefined && found.source !== id) {
    throw new YagateError("CONFLICT", "the target contains a copy of another store", { hint: OTHER_DATABASE });
  }
  if (found?.phase === "finished" && found.state !== state) {
    throw new YagateError(
      "CONFLICT",
      "the source was moved to this database before, and a gateway has used the source since",
      { hint: OTHER_DATABASE },
    );
  }
  const table = found === undefined ? await target.tableWithData() : undefined;
  if (table === undefined) return found;
  throw new YagateError("CONFLICT", `expected an empty target, found rows in the table ${table}`, {
    hint: OTHER_DATABASE,
  });
}

async function restart({ id, state }: Source, target: Target): Promise<MoveRecord> {
  const start: MoveRecord = { source: id, state, phase: "copying", table: "", after: null };
  await target.restart(start);
  return start;
}

const OTHER_DATABASE = "use an empty database, or an empty schema of its own; nothing was changed in this one";

async function copy(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  start: MoveRecord,
  total: number,
  onProgress: MoveOptions["onProgress"],
): Promise<void> {
  const first = Math.max(
    0,
    tables.findIndex(({ name }) => name === start.table),
  );
  let done = tables.slice(0, first).reduce((sum, table) => sum + source.count(table), 0);
  for (const [index, table] of tables.slice(first).entries()) {
    let after: Key | undefined = index === 0 && start.table === table.name ? (start.after ?? undefined) : undefined;
    if (after !== undefined) done += await target.count(table);
    for (;;) {
      const rows = source.batch(table, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      for (const row of rows) assertStorable(table, row);
      after = keyOf(table, last);
      await target.add(table, rows, { ...start, phase: "copying", table: table.name, after });
      done += rows.length;
      onProgress({ step: "copy", done, total });
    }
  }
  await target.complete();
  await target.setRecord({ ...start, phase: "copied", table: "", after: null });
}

/** PostgreSQL can't store U+0000, which JSON escapes. */
function assertStorable(table: MovedTable, row: Row): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== "string" || !value.includes("\0")) continue;
    const key = JSON.stringify(keyOf(table, row));
    throw new YagateError(
      "CONFLICT",
      `the row ${key} of the table ${table.name} contains the character U+0000 in ${column}, which PostgreSQL can't store`,
      { hint: "change or delete this resource with a gateway on the source, and run the command again" },
    );
  }
}

async function compareRows(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  total: number,
  onProgress: MoveOptions["onProgress"],
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  let done = 0;
  for (const table of tables) {
    const found = await compareTable(source, target, table, (count) => {
      done += count;
      onProgress({ step: "compare", done, total });
    });
    differences.push(...found);
  }
  return [...differences, ...(await compareMetadata(source, target))];
}

/** Compares the executions, several at a time, because each takes round trips. */
async function compareExecutions(
  source: Source,
  database: Database,
  total: number,
  { compareExecution, onProgress }: MoveOptions,
): Promise<readonly Difference[]> {
  const units = createUnits(database);
  const stores = { source: movedStore(source.units, plainPair), target: movedStore(units, hashedPair) };
  const executions = source.executions();
  const differences: Difference[] = [];
  let done = 0;
  const work = async () => {
    for (const execution of executions) {
      const problem = await compareExecution(execution, stores);
      if (problem !== undefined) differences.push({ table: "executions", row: execution.id, problem });
      done += 1;
      if (done % PROGRESS_EVERY === 0 || done === total) onProgress({ step: "receipts", done, total });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS.reads }, work));
  await units.close();
  return differences;
}

const PROGRESS_EVERY = 500;

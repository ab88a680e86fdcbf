import { measureNotify, type NotifyCosts, ownTransactions } from "./measure-notify.ts";
import type { Life, ReplicaRunner } from "./run-replicas.ts";

/** What one execution takes, and what a replica takes that does nothing. */
export interface Costs {
  readonly execution: {
    readonly replicaCpuMs: number;
    readonly databaseCpuMs: number;
    /**
     * Transactions, those that only read and those of notifications and their reception by the one replica included,
     * when executions do not overlap.
     */
    readonly transactions: number;
    /** Of these: commits of events, one after another. */
    readonly appends: number;
    readonly notifications: number;
    readonly walBytes: number;
    readonly walFullPages: number;
    /** On the disk, with indexes, by table. */
    readonly tableBytes: Readonly<Record<string, number>>;
  };
  /** The same when many go on at the same time, in a process that is warm: they share commits. */
  readonly crowded: {
    readonly replicaCpuMs: number;
    readonly databaseCpuMs: number;
    readonly transactions: number;
    readonly notifications: number;
    readonly walBytes: number;
  };
  /** Of a replica that does nothing, a second. */
  readonly idle: {
    readonly replicaCpuMs: number;
    readonly databaseCpuMs: number;
    readonly transactions: number;
    readonly walBytes: number;
  };
  readonly notify: NotifyCosts;
  /** Of a replica's start, without its notifications. */
  readonly start: { readonly transactions: number; readonly walBytes: number };
}

/** Sizes of a measurement; the defaults take about a minute. */
export interface MeasureOptions {
  readonly perSecond?: number;
  readonly seconds?: number;
  readonly idleSeconds?: number;
  readonly crowd?: number;
}

/**
 * Measures on one replica. A life without executions is taken from one with them, and a short one of those from a long
 * one, since starting costs too.
 */
export async function measureCosts(
  runner: ReplicaRunner,
  { perSecond = 20, seconds = 30, idleSeconds = 20, crowd = 3_000 }: MeasureOptions = {},
): Promise<Costs> {
  const idleFor = (time: number) => runner.run(1, { perSecond: 0, seconds: time });
  const notify = await measureNotify(runner.databaseUrl, runner.counters);
  // The first start migrates the database, and makes the workspace.
  await idleFor(0.5);
  const short = await idleFor(1);
  const long = await idleFor(1 + idleSeconds);
  const perIdleSecond = (of: (life: Life) => number) => Math.max(0, of(long) - of(short)) / idleSeconds;
  const startOf = (of: (life: Life) => number) => Math.max(0, of(short) - perIdleSecond(of));
  const sizesBefore = await runner.counters.sizes();
  const busy = await runner.run(1, { perSecond, seconds });
  const sizesAfter = await runner.counters.sizes();
  const crowded = await runner.run(1, { atOnce: 16, warmUp: crowd, executions: crowd });
  const perCrowded = (of: (life: Life) => number) => (of(crowded) - startOf(of)) / crowded.executions;
  const perExecution = (of: (life: Life) => number) =>
    (of(busy) - startOf(of) - seconds * perIdleSecond(of)) / busy.executions;
  const executions = sizesAfter.executions - sizesBefore.executions;
  const tableBytes = Object.entries(sizesAfter.tables)
    .map(([name, bytes]) => [name, Math.round((bytes - (sizesBefore.tables[name] ?? 0)) / executions)] as const)
    .filter(([, bytes]) => bytes > 8);
  return {
    execution: {
      // A replica's own clock begins after its start.
      replicaCpuMs: (busy.replicaCpuMs - seconds * perIdleSecond(({ replicaCpuMs }) => replicaCpuMs)) / busy.executions,
      databaseCpuMs: perExecution(({ databaseCpuMs }) => databaseCpuMs),
      transactions: perExecution(({ transactions }) => transactions),
      appends: (sizesAfter.appends - sizesBefore.appends) / executions,
      notifications: perExecution(({ notifications }) => notifications),
      walBytes: perExecution(({ walBytes }) => walBytes),
      walFullPages: perExecution(({ walFullPages }) => walFullPages),
      tableBytes: Object.fromEntries(tableBytes),
    },
    crowded: {
      replicaCpuMs: crowded.replicaCpuMsEach,
      databaseCpuMs: perCrowded(({ databaseCpuMs }) => databaseCpuMs),
      transactions: perCrowded(({ transactions }) => transactions),
      notifications: perCrowded(({ notifications }) => notifications),
      walBytes: perCrowded(({ walBytes }) => walBytes),
    },
    idle: {
      replicaCpuMs: perIdleSecond(({ replicaCpuMs }) => replicaCpuMs),
      databaseCpuMs: perIdleSecond(({ databaseCpuMs }) => databaseCpuMs),
      transactions: perIdleSecond(({ transactions }) => transactions),
      walBytes: perIdleSecond(({ walBytes }) => walBytes),
    },
    notify,
    start: {
      transactions: startOf((life) => ownTransactions(life, 1, notify)),
      walBytes: startOf(({ walBytes }) => walBytes),
    },
  };
}

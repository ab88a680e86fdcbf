import type { ExecutionJournal, ExecutionRow } from "../journal/port.ts";
import { LEASE_MS, type Lease } from "./lease.ts";
import type { ScheduledRun, Scheduler, StartRun } from "./port.ts";

const CLAIM_EVERY_MS = 1_000;
const CLAIM_LIMIT = 200;

export interface InProcessSchedulerOptions {
  readonly journal: ExecutionJournal;
  readonly lease: Lease;
  readonly startRun: StartRun;
  /** Executions that run at the same time; those that only wait do not count. */
  readonly maxConcurrent: number;
  /** No other process can hold a lease: one that is found at start belonged to a process that has ended. */
  readonly isExclusive: boolean;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Pending {
  readonly execution: ExecutionRow;
  readonly isRecovered: boolean;
  /** ms since the epoch. */
  readonly since: number;
}

/** Advances executions in this process, first come, first served. */
export function createInProcessScheduler(options: InProcessSchedulerOptions): Scheduler {
  const runs = new Map<string, ScheduledRun>();
  const pending: Pending[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  function runningCount(): number {
    let count = 0;
    for (const run of runs.values()) if (!run.isWaiting) count += 1;
    return count;
  }

  function startPending(): void {
    if (pending.length === 0) return;
    let free = options.maxConcurrent - runningCount();
    while (free > 0 && !isStopping) {
      const next = pending.shift();
      if (next === undefined) return;
      begin(next);
      free -= 1;
    }
  }

  function begin({ execution, isRecovered }: Pending): void {
    const run = options.startRun(execution, isRecovered, startPending);
    runs.set(execution.id, run);
    run.done.catch(options.onError).finally(() => {
      // After a freeze this process may have claimed it anew, and the newer run is the one to keep.
      if (runs.get(execution.id) === run) runs.delete(execution.id);
      startPending();
    });
  }

  /** What others could advance is left to them when there is no place for it here. */
  function claimLimit(): number {
    if (options.isExclusive) return CLAIM_LIMIT;
    return Math.min(CLAIM_LIMIT, options.maxConcurrent - runningCount() - pending.length);
  }

  async function claim(isFirst: boolean): Promise<void> {
    const limit = claimLimit();
    if (limit <= 0) return;
    const held = new Set([...runs.keys(), ...pending.map(({ execution }) => execution.id)]);
    const claimed = await options.journal.claim({
      owner: options.lease.owner,
      now: isFirst && options.isExclusive ? Number.MAX_SAFE_INTEGER : options.now(),
      leaseUntil: options.now() + LEASE_MS,
      limit,
      except: held,
    });
    pending.push(...claimed.map((execution) => ({ execution, isRecovered: true, since: options.now() })));
    startPending();
    if (claimed.length === limit && !isStopping) await claim(isFirst);
  }

  function watch(): void {
    if (isStopping) return;
    timer = setTimeout(() => {
      claim(false).catch(options.onError).finally(watch);
    }, CLAIM_EVERY_MS);
    timer.unref();
  }

  return {
    async start() {
      await options.lease.start();
      await claim(true);
      watch();
    },
    submit(execution) {
      pending.push({ execution, isRecovered: false, since: options.now() });
      startPending();
    },
    async stop(drainMs) {
      isStopping = true;
      clearTimeout(timer);
      for (const run of runs.values()) run.suspend();
      const done = Promise.allSettled([...runs.values()].map((run) => run.done));
      await Promise.race([done, deadline(drainMs)]);
      for (const run of runs.values()) run.abort();
      await done;
      options.lease.stop();
      // Others need not wait until the lease has run out.
      if (!options.isExclusive)
        await options.journal.renew({ owner: options.lease.owner, leaseUntil: 0 }).catch(options.onError);
    },
    counts() {
      const running = runningCount();
      return {
        running,
        waiting: runs.size - running,
        pending: pending.length,
        oldestPendingAt: pending[0]?.since ?? null,
      };
    },
    get activeCount() {
      return runs.size + pending.length;
    },
  };
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

import type { ExecutionJournal, ExecutionRow } from "../journal/port.ts";
import { FairQueue } from "./fair-queue.ts";
import { LEASE_MS, type Lease } from "./lease.ts";
import type { ScheduledRun, Scheduler, StartRun } from "./port.ts";

const CLAIM_EVERY_MS = 1_000;
const CLAIM_LIMIT = 200;
/** How long what was dropped at the end of a drain may take to be written down: the database may say nothing more. */
const HARD_END_MS = 3_000;

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
  /** Is told that a stop has waited long enough: from now on nothing is worth waiting for. */
  readonly onDrained?: () => void;
}

interface Pending {
  readonly execution: ExecutionRow;
  readonly isRecovered: boolean;
  /** ms since the epoch. */
  readonly since: number;
}

/** Advances executions in this process: workspaces take turns, first come, first served within one. */
export function createInProcessScheduler(options: InProcessSchedulerOptions): Scheduler {
  const runs = new Map<string, ScheduledRun>();
  const pending = new FairQueue<Pending>(({ execution }) => execution.workspaceId);
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let dueClaim: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  let lapsedClaim: Promise<void> | undefined;
  /** There may be more that has lapsed than was claimed. */
  let mayHaveLapsed = false;
  /** Some of what the process before this one held may be unclaimed, whatever its leases say. */
  let mayHaveFormer = options.isExclusive;
  /** Those of the pending that were claimed from a former owner. */
  let pendingRecovered = 0;
  /** There may be more that is due than was claimed. */
  let mayHaveDue = false;

  function runningCount(): number {
    let count = 0;
    for (const run of runs.values()) if (!run.isWaiting) count += 1;
    return count;
  }

  /** Places for executions that nobody here has taken up yet. */
  const freeCount = () => options.maxConcurrent - runningCount() - pending.size;

  function startPending(): void {
    if (pending.size === 0) return;
    let free = options.maxConcurrent - runningCount();
    while (free > 0 && !isStopping) {
      const next = pending.shift();
      if (next === undefined) return;
      if (next.isRecovered) pendingRecovered -= 1;
      begin(next);
      free -= 1;
    }
  }

  /** A run has ended, or only waits from now on. */
  function fillPlaces(): void {
    startPending();
    if (mayHaveDue) claimDue();
    // Half of them at a time: a claim puts all that has lapsed in turn, which is too much for each place.
    if (options.isExclusive && mayHaveLapsed && pendingRecovered < CLAIM_LIMIT / 2) {
      claimLapsed().catch(options.onError);
    }
  }

  function begin({ execution, isRecovered }: Pending): void {
    const run = options.startRun(execution, isRecovered, fillPlaces);
    runs.set(execution.id, run);
    run.done.catch(options.onError).finally(() => {
      // After a freeze this process may have claimed it anew, and the newer run is the one to keep.
      if (runs.get(execution.id) === run) runs.delete(execution.id);
      fillPlaces();
    });
  }

  /**
   * What others could advance is left to them when there is no place for it here. A process that is alone keeps some in
   * hand, so that they have their turn among those that are new; the rest costs nothing in the journal.
   */
  function claimLimit(): number {
    if (options.isExclusive) return CLAIM_LIMIT - pendingRecovered;
    return Math.min(CLAIM_LIMIT, freeCount());
  }

  function claimLapsed(): Promise<void> {
    lapsedClaim ??= claimLapsedWhileFree().finally(() => {
      lapsedClaim = undefined;
    });
    return lapsedClaim;
  }

  async function claimLapsedWhileFree(): Promise<void> {
    mayHaveLapsed = true;
    while (mayHaveLapsed && !isStopping) {
      const limit = claimLimit();
      if (limit <= 0) return;
      const { owner } = options.lease;
      const claimed = await options.journal.claim({
        owner,
        leaseUntil: options.now() + LEASE_MS,
        limit,
        except: new Set([...runs.keys(), ...[...pending].map(({ execution }) => execution.id)]),
        // What this process made meanwhile is not the former one's, though nobody here may know of it yet.
        ...(mayHaveFormer ? { now: Number.MAX_SAFE_INTEGER, exceptOwner: owner } : { now: options.now() }),
      });
      for (const execution of claimed) pending.push({ execution, isRecovered: true, since: options.now() });
      pendingRecovered += claimed.length;
      if (claimed.length < limit) {
        mayHaveLapsed = false;
        mayHaveFormer = false;
      }
      startPending();
    }
  }

  /** Takes up what is due, as far as there are places for it: the rest stays in the journal, and costs nothing there. */
  function claimDue(): Promise<void> {
    mayHaveDue = true;
    dueClaim ??= claimDueWhileFree()
      .catch(options.onError)
      .finally(() => {
        dueClaim = undefined;
        // Somebody may have said so just after the last look.
        if (mayHaveDue && freeCount() > 0 && !isStopping) claimDue();
      });
    return dueClaim;
  }

  async function claimDueWhileFree(): Promise<void> {
    while (mayHaveDue && !isStopping) {
      const limit = Math.min(CLAIM_LIMIT, freeCount());
      if (limit <= 0) return;
      mayHaveDue = false;
      const { owner } = options.lease;
      const now = options.now();
      const due = await options.journal.claimDue({ owner, now, leaseUntil: now + LEASE_MS, limit });
      if (due.length === limit) mayHaveDue = true;
      for (const execution of due) pending.push({ execution, isRecovered: false, since: now });
      startPending();
    }
  }

  async function laidDown(done: Promise<unknown>): Promise<void> {
    await done;
    await dueClaim;
    await lapsedClaim?.catch(options.onError);
    options.lease.stop();
    // Others need not wait until the lease has run out.
    if (!options.isExclusive)
      await options.journal.renew({ owner: options.lease.owner, leaseUntil: 0 }).catch(options.onError);
  }

  function watch(): void {
    if (isStopping) return;
    timer = setTimeout(() => {
      Promise.all([claimLapsed().catch(options.onError), claimDue()]).finally(watch);
    }, CLAIM_EVERY_MS);
    timer.unref();
  }

  return {
    async start() {
      await options.lease.start();
      await claimLapsed();
      stopListening = options.journal.onDue(claimDue);
      await claimDue();
      watch();
    },
    submit(execution) {
      pending.push({ execution, isRecovered: false, since: options.now() });
      startPending();
    },
    async stop(drainMs) {
      isStopping = true;
      clearTimeout(timer);
      stopListening?.();
      for (const run of runs.values()) run.suspend();
      const done = Promise.allSettled([...runs.values()].map((run) => run.done));
      await Promise.race([done, deadline(drainMs)]);
      options.onDrained?.();
      for (const run of runs.values()) run.abort();
      // What is not written down by then is as after a crash, and goes on from the journal.
      await Promise.race([laidDown(done), deadline(HARD_END_MS)]);
      options.lease.stop();
    },
    counts() {
      const running = runningCount();
      return {
        running,
        waiting: runs.size - running,
        pending: pending.size,
        oldestPendingAt: oldestOf(pending),
      };
    },
    get activeCount() {
      return runs.size + pending.size;
    },
  };
}

/** Groups take turns, so the oldest need not be the next. */
function oldestOf(pending: Iterable<Pending>): number | null {
  let oldest: number | null = null;
  for (const { since } of pending) if (oldest === null || since < oldest) oldest = since;
  return oldest;
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

import type { EventStore, ExecutionRow } from "@yagate/store/port";
import { type ClaimAllowance, ExecutionSlots } from "./execution-slots.ts";
import { FairQueue } from "./fair-queue.ts";
import { LEASE_MS, type Lease } from "./lease.ts";
import type { ScheduledRun, Scheduler, StartRun } from "./port.ts";

const CLAIM_EVERY_MS = 1_000;
const CLAIM_LIMIT = 200;
/** Time after a drain in which dropped runs may still record what happened: the database may not respond any more. */
const HARD_END_MS = 3_000;

export interface InProcessSchedulerOptions {
  readonly eventStore: EventStore;
  readonly lease: Lease;
  readonly startRun: StartRun;
  /** Executions that run at the same time; waiting ones don't count. {@link ExecutionSlots} says when there may be more. */
  readonly maxConcurrent: number;
  /** No other process can hold a lease: a lease that is found at start belongs to a process that has ended. */
  readonly isExclusive: boolean;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Called when a stop has waited for `drainMs`: open work is no longer awaited. */
  readonly onDrained?: () => void;
}

interface Pending {
  readonly execution: ExecutionRow;
  readonly isRecovered: boolean;
  /** ms since the epoch. */
  readonly since: number;
}

/** Runs executions in this process. Workspaces share its execution slots; within a workspace, first in, first out. */
export function createInProcessScheduler(options: InProcessSchedulerOptions): Scheduler {
  const runs = new Map<string, ScheduledRun>();
  const slots = new ExecutionSlots(options.maxConcurrent);
  const pending = new FairQueue<Pending>(({ execution }) => execution.workspaceId);
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let dueClaim: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  let lapsedClaim: Promise<void> | undefined;
  /** There may be more lapsed executions than were claimed. */
  let mayHaveLapsed = false;
  /** Executions of the previous process may be unclaimed, whatever their leases say. */
  let mayHaveFormer = options.isExclusive;
  /** Pending executions that were claimed from a former owner. */
  let pendingRecovered = 0;
  /** There may be more due executions than were claimed. */
  let mayHaveDue = false;

  /** Free slots, pending executions deducted. */
  const freeCount = () => options.maxConcurrent - slots.held - pending.size;

  function startPending(): void {
    while (pending.size > 0 && !isStopping) {
      const workspaceId = slots.next(pending.groups);
      const next = workspaceId === undefined ? undefined : pending.shift(workspaceId);
      if (next === undefined) return;
      if (next.isRecovered) pendingRecovered -= 1;
      begin(next);
    }
  }

  /** A run has ended, or has started to wait. */
  function fillSlots(): void {
    startPending();
    // Beyond the slots, only on change notifications and once a second: a query at each end would cost too much.
    if (mayHaveDue && freeCount() > 0) claimDue();
    // Half of the limit at a time: a claim sorts all lapsed executions, which is too expensive for each slot.
    if (options.isExclusive && mayHaveLapsed && pendingRecovered < CLAIM_LIMIT / 2) {
      claimLapsed().catch(options.onError);
    }
  }

  function begin({ execution, isRecovered }: Pending): void {
    const { id, workspaceId } = execution;
    let isOver = false;
    let counted: "held" | "queued" | undefined;
    const recount = () => {
      const before = counted;
      counted = isOver ? undefined : holdingOf(run);
      if (counted === before) return;
      if (before !== undefined) slots.count(workspaceId, before, -1);
      if (counted !== undefined) slots.count(workspaceId, counted, 1);
      if (before !== undefined) fillSlots();
    };
    const run = options.startRun(execution, isRecovered, recount);
    runs.set(id, run);
    recount();
    run.done.catch(options.onError).finally(() => {
      isOver = true;
      // After a freeze this process may have claimed it again: keep the newer run.
      if (runs.get(id) === run) runs.delete(id);
      recount();
      fillSlots();
    });
  }

  /**
   * Without a free slot, executions are left to other replicas, except those of workspaces below their share. A process
   * without replicas claims some in advance, so that they alternate with new ones; the rest stays in the store.
   */
  function allowanceFor(wanted: number): ClaimAllowance {
    if (wanted > 0) return { limit: Math.min(CLAIM_LIMIT, wanted), exceptWorkspaces: [] };
    const { limit, exceptWorkspaces } = slots.claimAllowance(pending.groups);
    return { limit: Math.min(CLAIM_LIMIT, limit), exceptWorkspaces };
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
      const { limit, exceptWorkspaces } = allowanceFor(
        options.isExclusive ? CLAIM_LIMIT - pendingRecovered : freeCount(),
      );
      if (limit <= 0) return;
      const { owner } = options.lease;
      const claimed = await options.eventStore.claim({
        owner,
        leaseUntil: options.now() + LEASE_MS,
        limit,
        exceptWorkspaces,
        except: new Set([...runs.keys(), ...[...pending].map(({ execution }) => execution.id)]),
        // Executions that this process has created meanwhile are not the former one's, even if not submitted yet.
        ...(mayHaveFormer ? { now: Number.MAX_SAFE_INTEGER, exceptOwner: owner } : { now: options.now() }),
      });
      for (const execution of claimed) pending.push({ execution, isRecovered: true, since: options.now() });
      pendingRecovered += claimed.length;
      startPending();
      if (claimed.length === limit) continue;
      if (exceptWorkspaces.length > 0) return;
      mayHaveLapsed = false;
      mayHaveFormer = false;
    }
  }

  /** Whether an execution became due since the last claim. */
  const isDueAgain = () => mayHaveDue;

  /** Claims due executions for free slots; the rest stays in the store. */
  function claimDue(): Promise<void> {
    mayHaveDue = true;
    dueClaim ??= claimDueWhileFree()
      .catch(options.onError)
      .finally(() => {
        dueClaim = undefined;
        // A notification may have arrived right after the last claim.
        if (mayHaveDue && freeCount() > 0 && !isStopping) claimDue();
      });
    return dueClaim;
  }

  async function claimDueWhileFree(): Promise<void> {
    while (mayHaveDue && !isStopping) {
      const { limit, exceptWorkspaces } = allowanceFor(freeCount());
      if (limit <= 0) return;
      mayHaveDue = false;
      const { owner } = options.lease;
      const now = options.now();
      const due = await options.eventStore.claimDue({
        owner,
        now,
        leaseUntil: now + LEASE_MS,
        limit,
        exceptWorkspaces,
      });
      for (const execution of due) pending.push({ execution, isRecovered: false, since: now });
      startPending();
      const isAll = due.length < limit && !isDueAgain();
      if (isAll && exceptWorkspaces.length === 0) return;
      mayHaveDue = true;
      // The excepted workspaces are claimed later: when a slot is free, or in a second.
      if (isAll) return;
    }
  }

  async function allSuspended(done: Promise<unknown>): Promise<void> {
    await done;
    await dueClaim;
    await lapsedClaim?.catch(options.onError);
    options.lease.stop();
    // Other replicas need not wait until the lease expires.
    if (!options.isExclusive)
      await options.eventStore.renew({ owner: options.lease.owner, leaseUntil: 0 }).catch(options.onError);
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
      stopListening = options.eventStore.onDue(claimDue);
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
      for (const run of runs.values()) run.drain();
      const done = Promise.allSettled([...runs.values()].map((run) => run.done));
      await Promise.race([done, deadline(drainMs)]);
      options.onDrained?.();
      for (const run of runs.values()) run.abort();
      // Anything that is not recorded by then counts as after a crash, and continues from the log.
      await Promise.race([allSuspended(done), deadline(HARD_END_MS)]);
      options.lease.stop();
    },
    counts() {
      const running = slots.held;
      return {
        running,
        waiting: Math.max(0, runs.size - running),
        pending: pending.size,
        oldestPendingAt: oldestOf(pending),
        slots: options.maxConcurrent,
        workspaces: slots.workspaces(pending.groups),
      };
    },
    get activeCount() {
      return runs.size + pending.size;
    },
  };
}

/** How a run counts; undefined: it waits for a decision or a time, and does not count. */
function holdingOf({ isWaiting, isQueued }: ScheduledRun): "held" | "queued" | undefined {
  if (!isWaiting) return "held";
  return isQueued ? "queued" : undefined;
}

/** Groups alternate, so the oldest need not be the next. */
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

import type { EventStore, ExecutionRow } from "@yagate/store/port";
import { type ClaimAllowance, ExecutionSlots } from "./execution-slots.ts";
import { FairQueue } from "./fair-queue.ts";
import { LEASE_MS, type Lease } from "./lease.ts";
import type { ScheduledRun, Scheduler, StartRun } from "./port.ts";

const CLAIM_EVERY_MS = 1_000;
const CLAIM_LIMIT = 200;
/**
 * Maximum time in ms, after the drain, in which dropped runs may still record what happened. It is limited because the
 * database may no longer respond.
 */
const HARD_END_MS = 3_000;

export interface InProcessSchedulerOptions {
  readonly eventStore: EventStore;
  readonly lease: Lease;
  readonly startRun: StartRun;
  /**
   * Maximum number of executions that run at the same time. Waiting ones don't count. {@link ExecutionSlots} describes
   * when there may be more.
   */
  readonly maxConcurrent: number;
  /**
   * Whether no other process can hold a lease. If so, any lease that exists at startup belongs to a process that has
   * ended.
   */
  readonly isExclusive: boolean;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Called when `stop` has waited for `drainMs` and no longer waits for running work. */
  readonly onDrained?: () => void;
}

interface Pending {
  readonly execution: ExecutionRow;
  readonly isRecovered: boolean;
  /** Start of the wait, in ms since the epoch. */
  readonly since: number;
}

/**
 * Creates a scheduler that runs executions in this process. Workspaces share its execution slots; the executions of a
 * workspace start in order of arrival.
 */
export function createInProcessScheduler(options: InProcessSchedulerOptions): Scheduler {
  const runs = new Map<string, ScheduledRun>();
  const slots = new ExecutionSlots(options.maxConcurrent);
  const pending = new FairQueue<Pending>(({ execution }) => execution.workspaceId);
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let dueClaim: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  let lapsedClaim: Promise<void> | undefined;
  /** Whether there may be lapsed executions that were not claimed yet. */
  let mayHaveLapsed = false;
  /**
   * Whether there may be unclaimed executions of the previous process. As long as there may be, claims ignore leases.
   */
  let mayHaveFormer = options.isExclusive;
  /** Number of pending executions that were claimed from a former owner. */
  let pendingRecovered = 0;
  /** Whether there may be due executions that were not claimed yet. */
  let mayHaveDue = false;

  /** Returns the number of free slots that are not needed for pending executions. */
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

  /** Starts further executions after a run has ended or has started to wait. */
  function fillSlots(): void {
    startPending();
    // When no slot is free, executions are claimed only on change notifications and once a second, because a query
    // after each run would cost too much.
    if (mayHaveDue && freeCount() > 0) claimDue();
    // A new claim waits until fewer than half of `CLAIM_LIMIT` recovered executions are pending. Each claim sorts all
    // lapsed executions, which is too expensive to do for a single slot.
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
      // After a freeze, this process may have claimed the execution again. Keep the newer run.
      if (runs.get(id) === run) runs.delete(id);
      recount();
      fillSlots();
    });
  }

  /**
   * Returns how many executions to claim. Without a free slot, executions are left to other replicas, except those of
   * workspaces below their share. A process that does not share its store claims some in advance, so that they take
   * turns with new ones; the rest stays in the store.
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
        // Executions that this process has created in the meantime do not belong to the previous process, even if they
        // are not submitted yet.
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

  /** Returns whether an execution became due since the last claim. */
  const isDueAgain = () => mayHaveDue;

  /** Claims due executions for free slots. The rest stays in the store. */
  function claimDue(): Promise<void> {
    mayHaveDue = true;
    dueClaim ??= claimDueWhileFree()
      .catch(options.onError)
      .finally(() => {
        dueClaim = undefined;
        // A notification may have arrived immediately after the last claim.
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
      // The workspaces that were left out are claimed later: when a slot is free, or in a second.
      if (isAll) return;
    }
  }

  async function allSuspended(done: Promise<unknown>): Promise<void> {
    await done;
    await dueClaim;
    await lapsedClaim?.catch(options.onError);
    options.lease.stop();
    // Expire the lease now, so that other replicas need not wait for it to expire.
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
      // Work that has not been recorded by then is treated as interrupted by a crash, and continues from the log.
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

/**
 * Returns whether a run counts as held or as queued; undefined if it is waiting for a decision or a time and counts as
 * neither.
 */
function holdingOf({ isWaiting, isQueued }: ScheduledRun): "held" | "queued" | undefined {
  if (!isWaiting) return "held";
  return isQueued ? "queued" : undefined;
}

/** Returns the start of the longest wait. The execution may be in any group, because groups take turns. */
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

import type { EventStore, ExecutionRow } from "@yagate/store/port";
import { type ClaimAllowance, ExecutionSlots } from "./execution-slots.ts";
import { FairQueue } from "./fair-queue.ts";
import { LEASE_MS, type Lease } from "./lease.ts";
import type { ScheduledRun, Scheduler, StartRun } from "./port.ts";

const CLAIM_EVERY_MS = 1_000;
const CLAIM_LIMIT = 200;
/** How long what was dropped at the end of a drain may take to be written down: the database may say nothing more. */
const HARD_END_MS = 3_000;

export interface InProcessSchedulerOptions {
  readonly eventStore: EventStore;
  readonly lease: Lease;
  readonly startRun: StartRun;
  /** Executions that run at the same time; those that only wait do not count. {@link ExecutionSlots} says when there are more. */
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

/** Advances executions in this process: workspaces share its places, first come, first served within one. */
export function createInProcessScheduler(options: InProcessSchedulerOptions): Scheduler {
  const runs = new Map<string, ScheduledRun>();
  const slots = new ExecutionSlots(options.maxConcurrent);
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

  /** Places for executions that nobody here has taken up yet. */
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

  /** A run has ended, or only waits from now on. */
  function fillSlots(): void {
    startPending();
    // Beyond the places only when there is news, and once a second: the question is not worth asking at each end.
    if (mayHaveDue && freeCount() > 0) claimDue();
    // Half of them at a time: a claim puts all that has lapsed in turn, which is too much for each place.
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
      // After a freeze this process may have claimed it anew, and the newer run is the one to keep.
      if (runs.get(id) === run) runs.delete(id);
      recount();
      fillSlots();
    });
  }

  /**
   * What others could advance is left to them when there is no place for it here, but for workspaces that have less than
   * their share. A process that is alone keeps some in hand, so that they have their turn among those that are new; the
   * rest costs nothing in the journal.
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
        // What this process made meanwhile is not the former one's, though nobody here may know of it yet.
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

  /** Something was made due since the last look. */
  const isDueAgain = () => mayHaveDue;

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
      // What was left out is looked for again: when there is a place, or in a second.
      if (isAll) return;
    }
  }

  async function allSuspended(done: Promise<unknown>): Promise<void> {
    await done;
    await dueClaim;
    await lapsedClaim?.catch(options.onError);
    options.lease.stop();
    // Others need not wait until the lease has run out.
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
      // What is not written down by then is as after a crash, and goes on from the journal.
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

/** As what a run counts; undefined: it waits for an answer or a moment, and counts as nothing. */
function holdingOf({ isWaiting, isQueued }: ScheduledRun): "held" | "queued" | undefined {
  if (!isWaiting) return "held";
  return isQueued ? "queued" : undefined;
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

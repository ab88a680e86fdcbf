/** The executions of a workspace on this replica that count. */
interface Holding {
  /** Those that hold a slot. */
  held: number;
  /** Those that only wait for a slot of their endpoint, and hold no execution slot. */
  queued: number;
}

/** How many executions may be claimed although every slot is taken. */
export interface ClaimAllowance {
  readonly limit: number;
  /** Workspaces that already have their share here. */
  readonly exceptWorkspaces: readonly string[];
}

/** Executions that wait here for a slot, by workspace, in the order in which the workspaces come next. */
export type PendingByWorkspace = ReadonlyMap<string, { readonly length: number }>;

const NONE: Holding = { held: 0, queued: 0 };

/** The number of workspaces on this replica, by their state. */
export interface WorkspaceCounts {
  /** Hold a slot, or wait for one. */
  readonly active: number;
  readonly pending: number;
  /** Hold more than their share while another workspace is active. */
  readonly aboveShare: number;
}

/**
 * Shares the execution slots of one replica between its workspaces.
 *
 * The share of a workspace is max(1, ⌈slots ÷ active workspaces⌉). A free slot goes to the waiting workspace that holds
 * the fewest. Running executions are never stopped, so a workspace that was alone may hold every slot when another one
 * arrives: what it holds beyond its share then does not count against the others. They start beyond the slots, up to
 * their share, and none takes more than half of what is left up to twice the slots. A workspace counts for at most all
 * slots in that bound, so none can exhaust it alone.
 */
export class ExecutionSlots {
  readonly #size: number;
  readonly #of = new Map<string, Holding>();
  #held = 0;

  /** @param size - executions that run at the same time, at least 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /** How many executions hold a slot; more than there are slots while workspaces take back their shares. */
  get held(): number {
    return this.#held;
  }

  count(workspaceId: string, kind: keyof Holding, change: 1 | -1): void {
    const holding = this.#of.get(workspaceId) ?? { ...NONE };
    holding[kind] += change;
    if (kind === "held") this.#held += change;
    if (holding.held === 0 && holding.queued === 0) this.#of.delete(workspaceId);
    else this.#of.set(workspaceId, holding);
  }

  /** The workspace whose execution starts next; undefined when none may. */
  next(pending: PendingByWorkspace): string | undefined {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const workspaceId of pending.keys()) {
      const { held, queued } = this.#of.get(workspaceId) ?? NONE;
      // Queued executions are in memory: further ones of the workspace are cheaper in the store.
      if (held >= fewest || queued >= this.#size) continue;
      next = workspaceId;
      fewest = held;
    }
    if (next === undefined || this.#held < this.#size) return next;
    return this.#mayExceed(fewest, this.#wanted(pending, "present")) ? next : undefined;
  }

  /** How many executions of workspaces below their share may be claimed when no slot is free: as many as could start at once. */
  claimAllowance(pending: PendingByWorkspace): ClaimAllowance {
    const wanted = this.#wanted(pending, "all");
    // The workspace that a claim finds may not be active here yet.
    const share = this.#shareOf(wanted.size + 1);
    const exceptWorkspaces: string[] = [];
    let headroom = share;
    for (const [workspaceId, count] of wanted) {
      if (count >= share) exceptWorkspaces.push(workspaceId);
      else headroom = Math.min(headroom, share - count);
    }
    const ofShares = this.#size - sumUpTo(share, wanted.values());
    const beyond = Math.ceil((2 * this.#size - sumUpTo(this.#size, wanted.values())) / 2);
    return { limit: Math.max(0, Math.min(headroom, ofShares, beyond)), exceptWorkspaces };
  }

  workspaces(pending: PendingByWorkspace): WorkspaceCounts {
    const held = this.#wanted(pending, "present");
    const share = this.#shareOf(held.size);
    const aboveShare = [...held.values()].filter((count) => count > share).length;
    return { active: held.size, pending: pending.size, aboveShare: held.size > 1 ? aboveShare : 0 };
  }

  #mayExceed(held: number, active: ReadonlyMap<string, number>): boolean {
    const share = this.#shareOf(active.size);
    if (held >= share || sumUpTo(share, active.values()) >= this.#size) return false;
    return held < 2 * this.#size - sumUpTo(this.#size, active.values());
  }

  /** Slots of the active workspaces: those that they hold, or also those that they wait for. */
  #wanted(pending: PendingByWorkspace, which: "present" | "all"): Map<string, number> {
    const wanted = new Map<string, number>();
    for (const [workspaceId, { held }] of this.#of) if (held > 0) wanted.set(workspaceId, held);
    for (const [workspaceId, { length }] of pending) {
      wanted.set(workspaceId, (wanted.get(workspaceId) ?? 0) + (which === "all" ? length : 0));
    }
    return wanted;
  }

  #shareOf(active: number): number {
    return Math.max(1, Math.ceil(this.#size / active));
  }
}

function sumUpTo(most: number, counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += Math.min(count, most);
  return sum;
}

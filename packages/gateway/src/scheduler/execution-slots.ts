/** Numbers of a workspace's executions on this replica, by kind. */
interface Holding {
  /** Executions that occupy an execution slot. */
  held: number;
  /** Executions that only wait for a slot of their endpoint and occupy no execution slot. */
  queued: number;
}

/** Which executions may be claimed although no execution slot is free. */
export interface ClaimAllowance {
  readonly limit: number;
  /** Workspaces that already have their share on this replica, whose executions may not be claimed. */
  readonly exceptWorkspaces: readonly string[];
}

/**
 * The executions that are waiting for a slot on this replica, by workspace. The workspaces are in the order in which
 * their turns come.
 */
export type PendingByWorkspace = ReadonlyMap<string, { readonly length: number }>;

const NONE: Holding = { held: 0, queued: 0 };

/** Numbers of workspaces on this replica, by state. */
export interface WorkspaceCounts {
  /** Workspaces that occupy a slot or wait for one. */
  readonly active: number;
  readonly pending: number;
  /** Workspaces that occupy more than their share while another workspace is active. */
  readonly aboveShare: number;
}

/**
 * Shares the execution slots of one replica between its workspaces.
 *
 * The share of a workspace is max(1, ⌈slots ÷ active workspaces⌉). A free slot goes to the waiting workspace that
 * occupies the fewest slots. Running executions are never stopped, so a workspace that was alone may occupy every slot
 * when another one arrives. Its executions beyond its share do not delay the others: workspaces below their share may
 * start executions although no slot is free. The total then exceeds the number of slots, up to twice that number. Close
 * to this bound, a workspace may start another execution only while it occupies fewer slots than are left up to the
 * bound. Only as many executions of a workspace as there are slots count towards the bound, so no single workspace can
 * use it up.
 */
export class ExecutionSlots {
  readonly #size: number;
  readonly #of = new Map<string, Holding>();
  #held = 0;

  /** @param size - number of execution slots; at least 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Number of executions that occupy a slot. It exceeds the number of slots while other workspaces take back their
   * shares.
   */
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

  /** Returns the workspace whose execution starts next; undefined if none may start. */
  next(pending: PendingByWorkspace): string | undefined {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const workspaceId of pending.keys()) {
      const { held, queued } = this.#of.get(workspaceId) ?? NONE;
      // Executions that are waiting for an endpoint stay in memory. A workspace with many of them must not start more;
      // the others stay in the store.
      if (held >= fewest || queued >= this.#size) continue;
      next = workspaceId;
      fewest = held;
    }
    if (next === undefined || this.#held < this.#size) return next;
    return this.#mayExceed(fewest, this.#wanted(pending, "present")) ? next : undefined;
  }

  /**
   * Returns how many executions may be claimed when no slot is free, and from which workspaces. The executions belong
   * to workspaces below their share, and all of them could start immediately.
   */
  claimAllowance(pending: PendingByWorkspace): ClaimAllowance {
    const wanted = this.#wanted(pending, "all");
    // The claim may find a workspace that is not active here yet.
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

  /**
   * Returns the number of slots per active workspace: those that it occupies (`present`), or also those that it waits
   * for (`all`).
   */
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

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExecutionSlots } from "../../src/scheduler/execution-slots.ts";
import { FairQueue } from "../../src/scheduler/fair-queue.ts";

const WORKSPACES = ["a", "b", "c", "d", "e"] as const;
type Workspace = (typeof WORKSPACES)[number];

interface Execution {
  readonly workspace: Workspace;
  readonly number: number;
  state: "pending" | "held" | "queued" | "ended";
}

/** Executions of several workspaces on one replica, and what the rules say of them, counted apart from the code. */
class Replica {
  readonly size: number;
  readonly executions: Execution[] = [];
  readonly #slots: ExecutionSlots;
  readonly #pending = new FairQueue<Execution>(({ workspace }) => workspace);

  constructor(size: number) {
    this.size = size;
    this.#slots = new ExecutionSlots(size);
  }

  of(workspace: Workspace, state: Execution["state"]): readonly Execution[] {
    return this.executions.filter((execution) => execution.workspace === workspace && execution.state === state);
  }

  get active(): readonly Workspace[] {
    return WORKSPACES.filter((each) => this.of(each, "held").length > 0 || this.of(each, "pending").length > 0);
  }

  get share(): number {
    return Math.max(1, Math.ceil(this.size / this.active.length));
  }

  get held(): number {
    return this.executions.filter(({ state }) => state === "held").length;
  }

  /** Those that could start, except for the bounds of the slots. */
  get waiting(): readonly Workspace[] {
    return WORKSPACES.filter(
      (each) => this.of(each, "pending").length > 0 && this.of(each, "queued").length < this.size,
    );
  }

  sum(most: number): number {
    return WORKSPACES.reduce((sum, each) => sum + Math.min(most, this.of(each, "held").length), 0);
  }

  arrive(workspace: Workspace): void {
    const execution: Execution = { workspace, number: this.executions.length, state: "pending" };
    this.executions.push(execution);
    this.#pending.push(execution);
  }

  change(execution: Execution, state: "held" | "queued" | "ended"): void {
    const { workspace } = execution;
    if (execution.state !== "held" && execution.state !== "queued") return;
    this.#slots.count(workspace, execution.state, -1);
    if (state !== "ended") this.#slots.count(workspace, state, 1);
    execution.state = state;
  }

  /** Starts one, if one may start, and holds that to the rules. */
  startNext(): boolean {
    const workspace = this.#slots.next(this.#pending.groups);
    expect(this.#slots.held).toBe(this.held);
    if (workspace === undefined) {
      this.#expectNoneMayStart();
      return false;
    }
    const waiting = this.waiting;
    const { share } = this;
    const before = { held: this.held, counted: this.sum(this.size), shares: this.sum(share) };
    const next = this.#pending.shift(workspace);
    if (next === undefined) throw new Error("expected an execution that waits");
    const ownBefore = this.of(next.workspace, "held").length;
    expect(waiting).toContain(next.workspace);
    // First come, first served within a workspace.
    expect(this.of(next.workspace, "pending")[0]).toBe(next);
    // None that holds more starts before one that holds less.
    for (const other of waiting) expect(this.of(other, "held").length).toBeGreaterThanOrEqual(ownBefore);
    if (before.held >= this.size) {
      expect(ownBefore).toBeLessThan(share);
      expect(before.shares).toBeLessThan(this.size);
      expect(before.counted).toBeLessThan(2 * this.size);
    }
    next.state = "held";
    this.#slots.count(next.workspace, "held", 1);
    return true;
  }

  #expectNoneMayStart(): void {
    const { waiting, share } = this;
    if (waiting.length === 0) return;
    // Work-conserving: no place is free while an execution waits that could have it.
    expect(this.held).toBeGreaterThanOrEqual(this.size);
    const fewest = Math.min(...waiting.map((each) => this.of(each, "held").length));
    const left = 2 * this.size - this.sum(this.size);
    expect(fewest >= share || this.sum(share) >= this.size || fewest >= left).toBe(true);
  }
}

const move = fc.record({
  kind: fc.constantFrom("arrive", "arrive", "end", "queue", "slot"),
  workspace: fc.constantFrom(...WORKSPACES),
  pick: fc.nat(),
});

describe("the execution slots of a replica", () => {
  it("are shared by the rules, whatever arrives, queues, returns and ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(move, { maxLength: 120 }), (size, moves) => {
        const replica = new Replica(size);
        for (const { kind, workspace, pick } of moves) {
          const from = kind === "slot" ? "queued" : "held";
          const candidates = replica.of(workspace, from);
          const chosen = candidates[pick % Math.max(1, candidates.length)];
          if (kind === "arrive") replica.arrive(workspace);
          else if (chosen !== undefined) {
            replica.change(chosen, kind === "end" ? "ended" : kind === "queue" ? "queued" : "held");
          }
          while (replica.startNext());
        }
        // None is left over: once all running executions have ended, all have run.
        for (let round = 0; replica.executions.some(({ state }) => state !== "ended"); round += 1) {
          expect(round).toBeLessThan(1_000);
          for (const execution of replica.executions) replica.change(execution, "ended");
          while (replica.startNext());
        }
      }),
      { numRuns: 500 },
    );
  });

  it("never hold more than twice as many that started there", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.constantFrom(...WORKSPACES), { maxLength: 200 }),
        (size, arrivals) => {
          const replica = new Replica(size);
          for (const workspace of arrivals) {
            replica.arrive(workspace);
            while (replica.startNext());
            expect(replica.held).toBeLessThanOrEqual(2 * size);
          }
        },
      ),
    );
  });

  const pendingOf = (counts: Record<string, number>) =>
    new Map(Object.entries(counts).map(([workspace, length]) => [workspace, { length }]));

  function placesWith(size: number, held: Record<string, number>): ExecutionSlots {
    const slots = new ExecutionSlots(size);
    for (const [workspace, count] of Object.entries(held)) {
      for (let each = 0; each < count; each += 1) slots.count(workspace, "held", 1);
    }
    return slots;
  }

  it.each<[string, number, Record<string, number>, Record<string, number>, string | undefined]>([
    ["a workspace alone has all of them", 4, { a: 3 }, { a: 9 }, "a"],
    ["and no more", 4, { a: 4 }, { a: 9 }, undefined],
    ["another starts beyond them while one holds more than its share", 4, { a: 4 }, { a: 9, b: 1 }, "b"],
    ["up to its own share", 4, { a: 4, b: 2 }, { a: 9, b: 9 }, undefined],
    ["and what ends goes to whom holds the fewest", 4, { a: 3, b: 0 }, { a: 9, b: 9 }, "b"],
    ["the last of the bound is not taken by one alone", 4, { a: 4, b: 2, c: 1 }, { c: 9 }, undefined],
    ["one place is one place", 1, { a: 1 }, { b: 1 }, undefined],
    ["what came back does not use up the bound", 4, { a: 40 }, { a: 9, b: 1 }, "b"],
  ])("%s", (_what, size, held, pending, next) => {
    expect(placesWith(size, held).next(pendingOf(pending))).toBe(next);
  });

  it.each<[string, number, Record<string, number>, Record<string, number>, number, readonly string[]]>([
    ["those below their share, when one holds all", 10, { a: 10 }, {}, 5, ["a"]],
    ["with those that wait here counted", 10, { a: 10, b: 1 }, { b: 2 }, 1, ["a"]],
    ["a third one, when two have their share", 10, { a: 5, b: 5 }, {}, 2, ["a", "b"]],
    ["nothing with one slot", 1, { a: 1 }, {}, 0, ["a"]],
  ])("may be claimed for by %s", (_what, size, held, pending, limit, exceptWorkspaces) => {
    expect(placesWith(size, held).claimAllowance(pendingOf(pending))).toEqual({ limit, exceptWorkspaces });
  });

  it("count the workspaces by state", () => {
    expect(placesWith(4, { a: 4, b: 1 }).workspaces(pendingOf({ a: 1, c: 1 }))).toEqual({
      active: 3,
      pending: 2,
      aboveShare: 1,
    });
    expect(placesWith(4, { a: 4 }).workspaces(pendingOf({ a: 1 })).aboveShare).toBe(0);
  });
});

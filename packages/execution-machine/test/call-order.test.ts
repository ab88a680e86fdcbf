import { parseResourceKey } from "@yagate/tool-definitions/placeholders/resource-key";
import { describe, expect, it } from "vitest";
import type { ToolTraits } from "../src/execution-config.ts";
import { ADMITTED, limitsWith, MachineWorld, NETWORK_DOWN, planWith } from "./support/machine-world.ts";

const resourceKeyOf = parseResourceKey("order:$" + "{id}")?.render ?? null;
const read = { sideEffect: "read_only" } as const;
const write = { sideEffect: "non_idempotent_write" } as const;
const upsert = { sideEffect: "idempotent_write" } as const;

const TOOLS = {
  plain: {},
  read,
  write,
  upsert,
  read_order: { ...read, resourceKeyOf },
  write_order: { ...write, resourceKeyOf },
  named_order: { resourceKeyOf },
  a: { parallelGroup: "a" },
  b: { parallelGroup: "b" },
  write_a: { ...write, parallelGroup: "a" },
  order_a: { ...write, resourceKeyOf, parallelGroup: "a" },
  after_read: { dependsOn: ["read"] },
  after_read_write: { ...write, dependsOn: ["read"] },
  once: { maxCallsPerTurn: 1 },
  after_once: { dependsOn: ["once"] },
  a_after_b: { parallelGroup: "a", dependsOn: ["b"] },
} as const satisfies Record<string, Partial<ToolTraits>>;

type Asked = keyof typeof TOOLS | readonly [keyof typeof TOOLS, string];

/** A model's turn with these calls, and the helpers to look at what is on its way, by place in the turn. */
class Turn {
  readonly world = new MachineWorld(planWith(TOOLS)).start();

  ask(...asked: Asked[]): this {
    this.world.model(
      "",
      asked.map((one) => (typeof one === "string" ? { name: one } : { name: one[0], parameters: { id: one[1] } })),
    );
    return this;
  }

  get calls() {
    return this.world.state.turns.at(-1)?.calls ?? [];
  }

  get underWay(): readonly number[] {
    return this.world.effects.flatMap((effect) =>
      effect.type === "model" ? [] : [this.calls.findIndex(({ id }) => id === effect.call.id)],
    );
  }

  end(place: number, answer: Parameters<MachineWorld["finish"]>[1] = { result: place }): this {
    const effect = this.world.effects.find((one) => one.type === "attempt" && one.call.id === this.calls[place]?.id);
    if (effect === undefined) throw new Error(`expected call ${place} to be running`);
    this.world.finish(effect, answer);
    return this;
  }
}

const gone = { failure: { ...NETWORK_DOWN, isRetryable: false } };

/** Ends the running calls in the order of their starts, and returns which ran together. */
function wavesOf(...asked: Asked[]): readonly (readonly number[])[] {
  const turn = new Turn().ask(...asked);
  const waves: (readonly number[])[] = [];
  while (turn.underWay.length > 0) {
    const wave = turn.underWay;
    waves.push(wave);
    const first = wave[0];
    if (first !== undefined) turn.end(first);
    if (turn.world.state.turns.length > 1) break;
  }
  return waves;
}

describe("the calls of a model turn", () => {
  it.each<[string, readonly Asked[], readonly (readonly number[])[]]>([
    ["run together when they read or declare nothing", ["read", "plain", "read"], [[0, 1, 2], [1, 2], [2]]],
    ["run one after another when they write to unknown resources", ["write", "upsert", "write"], [[0], [1], [2]]],
    ["run beside reads when they write", ["read", "write", "plain"], [[0, 1, 2], [1, 2], [2]]],
    [
      "run in the model's order when they write to one resource",
      [
        ["write_order", "1"],
        ["write_order", "2"],
        ["write_order", "1"],
      ],
      [[0, 1], [1, 2], [2]],
    ],
    [
      "read a resource before and after a write to it, and together",
      [
        ["read_order", "1"],
        ["read_order", "1"],
        ["write_order", "1"],
        ["read_order", "1"],
      ],
      [[0, 1], [1], [2], [3]],
    ],
    [
      "are taken for writes when they name a resource and declare nothing",
      [
        ["named_order", "1"],
        ["named_order", "1"],
      ],
      [[0], [1]],
    ],
    ["may write to anything when they do not say to which resource", ["write_order", "write"], [[0], [1]]],
    [
      "run alone against writes to known resources when their tool names none",
      [["write_order", "1"], ["write_order", "2"], "write", ["write_order", "3"]],
      [[0, 1], [1], [2], [3]],
    ],
    [
      "run alone against writes to known resources when the argument of their key is missing",
      [["write_order", "1"], ["write_order", "2"], "write_order", ["write_order", "3"]],
      [[0, 1], [1], [2], [3]],
    ],
    [
      "run alone against other writes of their group when the argument of their key is missing",
      [["order_a", "1"], ["order_a", "2"], "order_a", ["order_a", "3"]],
      [[0, 1], [1], [2], [3]],
    ],
    ["run together in one group when one of them names no resource", ["write_a", "order_a"], [[0, 1], [1]]],
    ["read beside writes to unknown resources", ["write", ["read_order", "1"], "write_order"], [[0, 1], [1, 2], [2]]],
    ["take turns by group, in the order of the groups' first calls", ["a", "b", "a", "b"], [[0, 2], [2], [1, 3], [3]]],
    ["run beside every group when they have none", ["a", "plain", "b"], [[0, 1], [1, 2], [2]]],
    ["run together in one group, even when they write", ["write_a", "write_a"], [[0, 1], [1]]],
    ["take turns with the writes of no group", ["write_a", "write", "write_a"], [[0, 2], [2], [1]]],
    ["come after what they depend on, wherever that stands", ["after_read", "read"], [[1], [0]]],
    ["come after all calls of what they depend on", ["read", "after_read", "read"], [[0, 2], [2], [1]]],
    ["find an order where groups and dependencies pull apart", ["a", "b", "a_after_b"], [[0], [1], [2]]],
  ])("%s", (_name, asked, waves) => {
    expect(wavesOf(...asked)).toEqual(waves);
  });

  it("are read by the next model turn in the order in which they were requested", () => {
    const turn = new Turn().ask("after_read", "read").end(1).end(0);
    expect(turn.world.state.turns[0]?.calls.map(({ name, status }) => [name, status])).toEqual([
      ["after_read", "completed"],
      ["read", "completed"],
    ]);
  });

  it("wait until an earlier write to the resource has been retried", () => {
    const config = planWith({ write_order: { ...TOOLS.write_order, retries: 1 } });
    const world = new MachineWorld(config).start();
    const order = { name: "write_order", parameters: { id: "1" } };
    world.model("", [order, order]);
    const [first] = world.effects;
    if (first === undefined) throw new Error("expected a call under way");
    world.finish(first, { failure: NETWORK_DOWN });
    expect(world.effects).toEqual([]);
    world.wake();
    expect(world.effects).toMatchObject([{ type: "attempt", number: 2 }]);
    expect(world.effects).toHaveLength(1);
  });

  it("start in the same order again after a crash", () => {
    const turn = new Turn().ask(["write_order", "1"], ["write_order", "1"], "read");
    turn.world.restart();
    expect(turn.calls.map(({ status, error }) => error?.code ?? status)).toEqual([
      "OUTCOME_UNKNOWN",
      "running",
      "running",
    ]);
  });
});

describe("a call whose tool depends on another", () => {
  it("fails when that one failed in this turn, and is never sent", () => {
    const turn = new Turn().ask("read", "after_read").end(0, gone);
    expect(turn.world.state.turns[0]?.calls[1]).toMatchObject({
      status: "failed",
      attempts: [],
      error: { code: "DEPENDENCY_FAILED", message: "read must complete first, but it did not", outcome: "none" },
    });
  });

  it("fails when one of several failed, without waiting for the others", () => {
    const turn = new Turn().ask("read", "read", "after_read").end(0, gone);
    expect(turn.calls.map(({ status }) => status)).toEqual(["failed", "running", "failed"]);
  });

  it("fails when that one was never called, and says what to do", () => {
    const turn = new Turn().ask("after_read");
    expect(turn.world.state.turns[0]?.calls[0]?.error).toMatchObject({
      code: "DEPENDENCY_FAILED",
      message: "read must complete first, but it was not called",
      hint: "call read first, then call this tool again",
    });
  });

  it("runs when that one completed in an earlier turn, even if it had failed before", () => {
    const turn = new Turn().ask("read").end(0, gone).ask("read").end(0).ask("after_read");
    expect(turn.underWay).toEqual([0]);
  });

  it("fails when that one completed in an earlier turn and failed in this one", () => {
    const turn = new Turn().ask("read").end(0).ask("read", "after_read").end(0, gone);
    expect(turn.world.state.turns[1]?.calls[1]?.error?.code).toBe("DEPENDENCY_FAILED");
  });

  it("fails with that one when it was refused", () => {
    const turn = new Turn();
    const refusal = { ...NETWORK_DOWN, code: "POLICY_DENIED", message: "no", isDenied: true };
    const admission = { kind: "handler", sideEffect: null, risk: null, policyDecision: null, refusal } as const;
    turn.world.model("", [{ name: "read", admission }, { name: "after_read" }]);
    expect(turn.world.state.turns[0]?.calls.map(({ status }) => status)).toEqual(["denied", "failed"]);
  });
});

describe("a call whose tool depends on one that was called too often", () => {
  it("waits for the calls that run", () => {
    const turn = new Turn().ask("once", "once", "after_once");
    expect(turn.calls.map(({ status }) => status)).toEqual(["running", "failed", "requested"]);
    turn.end(0);
    expect(turn.underWay).toEqual([2]);
  });

  it("fails with the one that ran", () => {
    const turn = new Turn().ask("once", "once", "after_once").end(0, gone);
    expect(turn.world.state.turns[0]?.calls[2]?.error?.code).toBe("DEPENDENCY_FAILED");
  });

  it("depends on earlier turns when none of them ran", () => {
    const world = new MachineWorld(planWith(TOOLS, { limits: limitsWith({ maxToolCallsPerTurn: 1 }) })).start();
    const failuresOf = (turn: number) => world.state.turns[turn]?.calls.map(({ error }) => error?.message ?? null);
    world.model("", [{ name: "after_once" }, { name: "once" }]);
    expect(failuresOf(0)).toEqual([
      "once must complete first, but it was not called",
      "a model turn may make at most 1 tool calls; this call did not run",
    ]);
    world.model("", [{ name: "once" }]);
    for (const effect of world.effects) world.finish(effect, { result: null });
    world.model("", [{ name: "after_once" }, { name: "once" }]);
    expect(world.state.turns[2]?.calls.map(({ status }) => status)).toEqual(["running", "failed"]);
  });
});

describe("a call that waits for an approval", () => {
  const guarded = (approvalId: string) => ({
    admission: { ...ADMITTED, approval: { approvalId, requestHash: "sha256:0" } },
  });
  const approve = (turn: Turn, approvalId: string) =>
    turn.world.order({ type: "approve", approvalId, by: { keyId: "key_1", isSelfApproval: false } });

  it("holds back later writes to its resource, and no others", () => {
    const turn = new Turn();
    const one = { parameters: { id: "1" } };
    turn.world.model("", [
      { name: "write_order", ...one, ...guarded("apr_1") },
      { name: "write_order", ...one },
      { name: "write_order", parameters: { id: "2" } },
      { name: "read" },
    ]);
    expect(turn.underWay).toEqual([2, 3]);
    turn.end(2).end(3);
    expect(turn.world.state.status).toBe("waiting");
    approve(turn, "apr_1");
    turn.world.feed({ type: "tick" });
    expect(turn.underWay).toEqual([0]);
    turn.end(0);
    expect(turn.underWay).toEqual([1]);
  });

  it("holds back no write to an unknown resource, and runs in order once it is approved", () => {
    const turn = new Turn();
    turn.world.model("", [{ name: "write", ...guarded("apr_1") }, { name: "write" }, { name: "write" }]);
    expect(turn.underWay).toEqual([1]);
    approve(turn, "apr_1");
    turn.world.feed({ type: "tick" });
    expect(turn.underWay).toEqual([1]);
    turn.end(1);
    expect(turn.underWay).toEqual([0]);
    turn.end(0);
    expect(turn.underWay).toEqual([2]);
  });

  it("holds back those that depend on it, and no group after it", () => {
    const turn = new Turn();
    turn.world.model("", [
      { name: "a", ...guarded("apr_1") },
      { name: "read", ...guarded("apr_2") },
      { name: "after_read" },
      { name: "b" },
    ]);
    expect(turn.underWay).toEqual([3]);
    approve(turn, "apr_1");
    approve(turn, "apr_2");
    turn.world.feed({ type: "tick" });
    expect(turn.underWay).toEqual([1, 3]);
  });

  it("does not suspend the execution when the failure of another call lets the next one start", () => {
    const turn = new Turn();
    turn.world.model("", [{ name: "plain", ...guarded("apr_1") }, { name: "after_read_write" }, { name: "write" }]);
    expect(turn.underWay).toEqual([2]);
    expect(turn.world.types).not.toContain("execution.waiting");
  });

  it("needs no approval any more once its dependency has failed", () => {
    const turn = new Turn();
    turn.world.model("", [{ name: "read" }, { name: "after_read", ...guarded("apr_1") }]);
    turn.end(0, gone);
    expect(turn.world.state.turns[0]?.calls[1]).toMatchObject({
      status: "failed",
      approval: { status: "cancelled" },
      error: { code: "DEPENDENCY_FAILED" },
    });
  });
});

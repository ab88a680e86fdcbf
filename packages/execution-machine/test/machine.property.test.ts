import type { ExecutionEvent } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRepeatable } from "../src/execution-config.ts";
import { fold } from "../src/fold.ts";
import { initialState, spentMs } from "../src/state.ts";
import { breachesOfEnd } from "./laws/end-laws.ts";
import { breaches } from "./laws/laws.ts";
import { MachineHistory } from "./support/history.ts";
import { type Scene, scene } from "./support/moves.ts";

const RUNS = 400;

function holds(law: (history: MachineHistory, scene: Scene) => void): void {
  fc.assert(
    fc.property(scene, (one) => law(new MachineHistory(one).play(one.moves), one)),
    { numRuns: RUNS },
  );
}

describe("whatever happens to an execution, in whatever order", () => {
  it("its log breaks no law", () => {
    holds((history) => {
      expect(history.breaches).toEqual([]);
      expect(breaches(history.log, history.config)).toEqual([]);
    });
  });

  it("it ends, with one result or error for every call", () => {
    holds((history) => {
      expect(history.drain()).toBe(true);
      expect(history.breaches).toEqual([]);
      expect(breachesOfEnd(history.log, history.config)).toEqual([]);
      expect(breaches(history.log, history.config)).toEqual([]);
    });
  });

  it("its log alone gives its state, also when it was written and read again", () => {
    holds((history) => {
      const log: ExecutionEvent[] = JSON.parse(JSON.stringify(history.log));
      const folded = log.reduce(fold, initialState(history.config.executionId));
      expect(folded).toEqual(history.state);
    });
  });

  it("nothing starts twice, and nothing starts that is not in the log", () => {
    holds((history) => {
      const started = new Set<string>();
      for (const { key, type, process, lastSeq } of history.starts) {
        // A call inside the gateway is run again by the next process; nothing of it had left.
        const once = type === "inline" ? `${key} in ${process}` : key;
        expect(started).not.toContain(once);
        started.add(once);
        const intent = history.log.find(
          (event) =>
            (event.type === "attempt.started" && event.attemptId === key) ||
            (event.type === "model.requested" && `model:${event.turn}:${event.attempt}` === key) ||
            (event.type === "tool_call.requested" && `inline:${event.toolCallId}` === key),
        );
        expect(intent?.seq).toBeLessThanOrEqual(lastSeq);
      }
    });
  });

  it("a result that arrived in time is the call's", () => {
    holds((history) => {
      const calls = history.state.turns.flatMap((turn) => turn.calls);
      for (const { toolCallId, result } of history.deliveries) {
        if (result === undefined) continue;
        expect(calls.find(({ id }) => id === toolCallId)).toMatchObject({ status: "completed", result });
      }
    });
  });

  it("the cost of its calls is what was reported", () => {
    holds((history) => {
      for (const { id, cost } of history.state.turns.flatMap((turn) => turn.calls)) {
        const reported = history.deliveries.filter(({ toolCallId }) => toolCallId === id);
        expect(cost.usd).toBeCloseTo(
          reported.reduce((sum, { costUsd }) => sum + costUsd, 0),
          9,
        );
      }
    });
  });

  it("no more time counts as running than has passed while it ran", () => {
    holds((history) => {
      expect(spentMs(history.state, history.now)).toBeLessThanOrEqual(history.runningMs);
    });
  });
});

describe("from any commit of any log", () => {
  it("the next process brings it to a valid end, and repeats nothing that must not be repeated", () => {
    fc.assert(
      fc.property(scene, fc.nat(), (one, cut) => {
        const { log, commits, config } = new MachineHistory(one).play(one.moves);
        const prefix = log.slice(0, commits[cut % commits.length]);
        const sent = prefix.flatMap((event) => (event.type === "attempt.started" ? [event.toolCallId] : []));
        const next = new MachineHistory(one, prefix);
        expect(next.drain()).toBe(true);
        expect(next.breaches).toEqual([]);
        expect(breaches(next.log, config)).toEqual([]);
        expect(breachesOfEnd(next.log, config)).toEqual([]);
        const answered = prefix.flatMap((event) => (event.type === "attempt.finished" ? [event.toolCallId] : []));
        for (const event of next.log.slice(prefix.length)) {
          if (event.type !== "attempt.started" || event.isResumption === true) continue;
          const isInDoubt = count(sent, event.toolCallId) > count(answered, event.toolCallId);
          const name = next.state.turns.flatMap(({ calls }) => calls).find(({ id }) => id === event.toolCallId)?.name;
          const traits = config.tools.get(name ?? "");
          if (isInDoubt) expect(traits !== undefined && isRepeatable(traits)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function count(ids: readonly string[], id: string): number {
  return ids.filter((one) => one === id).length;
}

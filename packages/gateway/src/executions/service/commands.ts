import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { defined } from "@yagate/lib/objects/defined";
import type { EventStore } from "@yagate/store/port";
import type { AuditRow } from "@yagate/store/rows/audit-rows";
import { command, type Step } from "../machine/advance.ts";
import { fold } from "../machine/fold.ts";
import type { Command } from "../machine/inputs.ts";
import { type ExecutionState, initialState } from "../machine/state.ts";
import { toSummary } from "./views.ts";

/** Gives orders to executions that somebody else advances. */
export interface Commands {
  /** An execution as its log has it now. */
  stateOf(executionId: string): Promise<ExecutionState>;
  /** Appends what a command comes to, with its entry of the audit log; no events: it is too late for it. */
  apply(executionId: string, what: Command, audit?: AuditRow): Promise<Step>;
}

export function createCommands({
  eventStore,
  now,
}: {
  readonly eventStore: Pick<EventStore, "entryPage" | "append">;
  /** ms since the epoch. */
  readonly now: () => number;
}): Commands {
  async function stateOf(executionId: string): Promise<ExecutionState> {
    let state = initialState(executionId);
    for (;;) {
      const { entries, isLast } = await eventStore.entryPage(executionId, state.lastSeq);
      state = entries.reduce((before, { event }) => fold(before, event), state);
      if (isLast) return state;
      // A long log takes a while as a whole; between two pages of it others get their turn.
      await yieldToEventLoop();
    }
  }

  return {
    stateOf,
    async apply(executionId, what, audit) {
      for (;;) {
        const state = await stateOf(executionId);
        const step = command(state, what, now());
        if (step.events.length === 0) return step;
        const outcome = await eventStore.append({
          executionId,
          expectedSeq: state.lastSeq,
          entries: step.events.map((event) => ({ event })),
          summary: toSummary(step.state),
          ...defined({ audit }),
        });
        // The owner has appended at the same moment: the command is judged again.
        if (outcome === "appended") return step;
      }
    },
  };
}

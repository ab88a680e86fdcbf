import { command, type Step } from "@yagate/execution-machine/advance";
import { fold } from "@yagate/execution-machine/fold";
import type { Command } from "@yagate/execution-machine/inputs";
import { type ExecutionState, initialState } from "@yagate/execution-machine/state";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { defined } from "@yagate/lib/objects/defined";
import { appendTo } from "@yagate/store/events/event-store";
import type { AuditRow, EventStore } from "@yagate/store/port";
import { toSummary } from "./views.ts";

/** Applies commands to executions, whichever replica runs them. */
export interface Commands {
  /** Reads the log of an execution and returns its current state. */
  stateOf(executionId: string): Promise<ExecutionState>;
  /**
   * Appends the events of a command together with its audit entry. Returns a step without events if the command came
   * too late.
   */
  apply(executionId: string, command: Command, audit?: AuditRow): Promise<Step>;
}

export function createCommands({
  eventStore,
  now,
}: {
  readonly eventStore: Pick<EventStore, "entryPage" | "append">;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
}): Commands {
  async function stateOf(executionId: string): Promise<ExecutionState> {
    let state = initialState(executionId);
    for (;;) {
      const { entries, isLast } = await eventStore.entryPage(executionId, state.lastSeq);
      state = entries.reduce((before, { event }) => fold(before, event), state);
      if (isLast) return state;
      // Reading a long log takes a while, so other work runs between two pages.
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
        const outcome = await appendTo(eventStore, {
          executionId,
          expectedSeq: state.lastSeq,
          entries: step.events.map((event) => ({ event })),
          summary: toSummary(step.state),
          ...defined({ audit }),
        });
        // If the owner has appended events in the meantime, decide again.
        if (outcome === "appended") return step;
      }
    },
  };
}

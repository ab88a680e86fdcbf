import type { ExecutionEvent } from "@yagate/protocol";
import type { Append, Store } from "@yagate/store/port";
import type { AttemptName } from "./boundaries.ts";
import { cross } from "./crossing.ts";
import { openAfterRenewal } from "./freezing.ts";
import { noteIntents, noteOutcomes } from "./siblings.ts";

/** A store whose writes can be a process's last, right before them or right after. */
export function faultyStore(store: Store): Store {
  const { eventStore } = store;
  return {
    ...store,
    eventStore: {
      ...eventStore,
      renew: (renewal) => openAfterRenewal(() => eventStore.renew(renewal)),
      async create(execution) {
        cross("before_acceptance");
        const created = await eventStore.create(execution);
        if (created.isNew) cross("after_acceptance");
        return created;
      },
      append(append, done) {
        const intents = attemptsOf(append, isIntent);
        const outcomes = attemptsOf(append, isOutcome);
        if (intents.length > 0) cross("before_intent", intents);
        if (outcomes.length > 0) cross("before_outcome", outcomes);
        eventStore.append(append, (end) => {
          if (end !== "appended") return done(end);
          if (intents.length > 0) cross("after_intent", intents);
          if (outcomes.length > 0) cross("after_outcome", outcomes);
          noteIntents(intents);
          noteOutcomes(outcomes);
          done(end);
        });
      },
    },
  };
}

type AttemptEvent = Extract<ExecutionEvent, { type: "attempt.started" | "attempt.finished" }>;

function attemptsOf({ entries }: Append, isWanted: (event: ExecutionEvent) => event is AttemptEvent): AttemptName[] {
  return entries
    .map(({ event }) => event)
    .filter(isWanted)
    .map(({ toolCallId, number }) => ({ toolCallId, number }));
}

function isIntent(event: ExecutionEvent): event is AttemptEvent {
  return event.type === "attempt.started";
}

/** An interruption is no answer: it is written for an attempt of an earlier life. */
function isOutcome(event: ExecutionEvent): event is AttemptEvent {
  return event.type === "attempt.finished" && event.isInterruption !== true;
}

import type { ReceivedEvent } from "@yagate/protocol";
import { type CallHistory, callHistories } from "./call-history.ts";
import type { CountingService } from "./counting-service.ts";
import { toolNamed } from "./tools.ts";

/** What a run of faults is held against: the first three numbers must be 0. */
export interface Tally {
  /** Executions that were acknowledged and did not complete, and results that the journal has without their function. */
  readonly lost: number;
  /** Times that the kit ran a tool's function for a call that had its result. */
  readonly finishedRunAgain: number;
  /** Requests of a `non_idempotent_write` of which an earlier one had not failed. */
  readonly repeatedWrites: number;
  readonly executions: number;
  readonly toolCalls: number;
  readonly requests: number;
}

/** The first three numbers of every {@link Tally}. */
export const UNHARMED = { lost: 0, finishedRunAgain: 0, repeatedWrites: 0 } as const;

/** Counts what became of executions that were acknowledged, by their log and by what their service saw. */
export function tallyOf(
  eventStore: ReadonlyMap<string, readonly ReceivedEvent[]>,
  service: Pick<CountingService, "arrivals" | "runs" | "results">,
): Tally {
  const logs = [...eventStore.values()];
  const calls = logs.flatMap((events) => callHistories(events, service));
  const writes = new Set(calls.filter(isWrite).map(({ id }) => id));
  return {
    lost: logs.filter((events) => events.at(-1)?.type !== "execution.completed").length + calls.filter(isLost).length,
    finishedRunAgain: service.runs.filter(({ isRepeat }) => isRepeat).length,
    repeatedWrites: service.arrivals.filter(({ toolCallId, isRepeat }) => isRepeat && writes.has(toolCallId)).length,
    executions: logs.length,
    toolCalls: calls.length,
    requests: service.arrivals.length,
  };
}

/** One line for people, which `npm run chaos` gathers. */
export function printTally(subject: string, { lost, finishedRunAgain, repeatedWrites, ...counts }: Tally): void {
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const verdict = `${lost} lost, ${finishedRunAgain} finished calls run again, ${repeatedWrites} writes repeated`;
  process.stdout.write(`\ntally: ${subject}: ${verdict} (${told.join(", ")})\n`);
}

function isWrite({ name }: CallHistory): boolean {
  const { declared } = toolNamed(name);
  return declared.sideEffect === "non_idempotent_write";
}

function isLost({ ends: [end], results }: CallHistory): boolean {
  return end === undefined || (end.type === "tool_call.completed" && results === 0);
}

import { spreadOf } from "../bench/spread.ts";
import type { Costs } from "./measure-costs.ts";
import type { Life, ReplicaRunner } from "./run-replicas.ts";
import { simulate } from "./simulate.ts";

/**
 * How far the simulation may be from what really happened, as a share of that. Of messages it gives the most: on a
 * machine that is busy with other things events come in bunches, and share them.
 */
export const TOLERANCE: Omit<PerSecond, "notifications"> = { transactions: 0.25, walBytes: 0.25 };

/** What is counted of a run, a second of it. */
export interface PerSecond {
  /** Without those of messages. */
  readonly transactions: number;
  readonly notifications: number;
  readonly walBytes: number;
}

/** One run of real replicas beside its simulation. */
export interface Comparison {
  readonly replicas: number;
  readonly perSecond: number;
  readonly real: PerSecond;
  readonly simulated: PerSecond;
}

/** On one machine, whose network is its memory. */
const ROUND_TRIP_MS = 0.3;
const HANDLER_MS = 2;

interface Pace {
  readonly replicas: number;
  /** Of all replicas together. */
  readonly perSecond: number;
  readonly seconds: number;
  /** How often it is really done; the middle one counts. */
  readonly rounds: number;
}

/** Lets real replicas work at a pace, and simulates the same. */
export async function compareWithReal(
  runner: ReplicaRunner,
  costs: Costs,
  { replicas, perSecond, seconds, rounds }: Pace,
): Promise<Comparison> {
  const lives: Life[] = [];
  for (let round = 0; round < rounds; round += 1) {
    lives.push(await runner.run(replicas, { perSecond: perSecond / replicas, seconds }));
  }
  const median = (of: (life: Life) => number) => spreadOf(lives.map(of)).median;
  const { start } = costs;
  const outcome = simulate(costs, {
    replicas,
    workspaces: 1,
    perSecond,
    seconds,
    databaseCores: 2,
    roundTripMs: ROUND_TRIP_MS,
    handlerMs: HANDLER_MS,
    seed: 1,
  });
  return {
    replicas,
    perSecond,
    real: {
      transactions: median((life) => life.transactions - life.notifications - replicas * start.transactions) / seconds,
      notifications: median(({ notifications }) => notifications) / seconds,
      walBytes: median(({ walBytes }) => walBytes - replicas * start.walBytes) / seconds,
    },
    simulated: {
      transactions: (outcome.transactions - outcome.notifications) / seconds,
      notifications: outcome.notifications / seconds,
      walBytes: outcome.walBytes / seconds,
    },
  };
}

/** How far each figure of the simulation is from the real one, as a share of that. */
export function differencesOf({ real, simulated }: Comparison): PerSecond {
  const difference = (of: (figures: PerSecond) => number) => Math.abs(of(simulated) / of(real) - 1);
  return {
    transactions: difference(({ transactions }) => transactions),
    notifications: difference(({ notifications }) => notifications),
    walBytes: difference(({ walBytes }) => walBytes),
  };
}

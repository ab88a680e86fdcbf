import { spreadOf } from "../../packages/bench/spread.ts";
import type { Costs } from "./measure-costs.ts";
import { ownTransactions } from "./measure-notify.ts";
import type { ReplicaRunner } from "./run-replicas.ts";
import { simulate } from "./simulate.ts";
import type { Pace } from "./workload.ts";

/**
 * How far the simulation may be from what really happened, as a share of that. Of messages it gives the most: on a
 * machine that is busy with other things events come in bunches, and share them.
 */
export const TOLERANCE: Omit<PerSecond, "notifications"> = { transactions: 0.25, walBytes: 0.25 };

/** What is counted of a run, a second of it. */
export interface PerSecond {
  /** Without those that send or receive messages. */
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

interface Run {
  readonly replicas: number;
  /** Of each. */
  readonly pace: Pace;
  /** How often it is really done; the middle of each figure counts. */
  readonly rounds: number;
}

/** Lets real replicas work, and simulates what they did, at the rate that they reached. */
export async function compareWithReal(runner: ReplicaRunner, costs: Costs, run: Run): Promise<Comparison> {
  const { replicas } = run;
  const rounds: Comparison[] = [];
  for (let round = 0; round < run.rounds; round += 1) {
    const life = await runner.run(replicas, run.pace);
    const { seconds } = life;
    const perSecond = life.executions / seconds;
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
    // Arrivals are random in the simulation: it may have had some more or less of them.
    const share = life.executions / outcome.executions / seconds;
    rounds.push({
      replicas,
      perSecond,
      real: {
        transactions: (ownTransactions(life, replicas, costs.notify) - replicas * costs.start.transactions) / seconds,
        notifications: life.notifications / seconds,
        walBytes: (life.walBytes - replicas * costs.start.walBytes) / seconds,
      },
      simulated: {
        transactions: ownTransactions(outcome, replicas, costs.notify) * share,
        notifications: outcome.notifications * share,
        walBytes: outcome.walBytes * share,
      },
    });
  }
  const middle = (of: (round: Comparison) => number) => spreadOf(rounds.map(of)).median;
  // A vacuum may write much more in one round, and a busy machine may start fewer transactions in another.
  const middles = (of: (round: Comparison) => PerSecond): PerSecond => ({
    transactions: middle((round) => of(round).transactions),
    notifications: middle((round) => of(round).notifications),
    walBytes: middle((round) => of(round).walBytes),
  });
  return {
    replicas,
    perSecond: middle(({ perSecond }) => perSecond),
    real: middles(({ real }) => real),
    simulated: middles(({ simulated }) => simulated),
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

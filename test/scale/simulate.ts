import { EventQueue } from "./event-queue.ts";
import type { Costs } from "./measure-costs.ts";
import { type NotifyCosts, ownTransactions } from "./measure-notify.ts";
import { Lane, Station } from "./simulated-parts.ts";

/** What is simulated. */
export interface Scenario {
  readonly replicas: number;
  /** Workspaces that executions belong to, all as often. */
  readonly workspaces: number;
  /** Executions of all replicas, at random moments. */
  readonly perSecond: number;
  readonly seconds: number;
  /** CPUs of the database's machine. */
  readonly databaseCores: number;
  /** From a statement's leaving to its arrival and back, without the work. */
  readonly roundTripMs: number;
  /** How long a handler takes. */
  readonly handlerMs: number;
  readonly seed: number;
  /** The first replica ends without a word at this moment. */
  readonly killAtSeconds?: number;
}

/** How it went. */
export interface Outcome {
  readonly executions: number;
  readonly finished: number;
  /** Including those that send and those that receive notifications. */
  readonly transactions: number;
  readonly notifications: number;
  /** Notifications that replicas received, each in a transaction of its own. */
  readonly receptions: number;
  readonly walBytes: number;
  /** Appends that share a commit, on average. */
  readonly appendsPerCommit: number;
  /** The share of its time in which the busiest replica computes. */
  readonly replicaLoad: number;
  readonly databaseLoad: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The longest that a lease's renewal took; one of 10 seconds loses the lease. */
  readonly slowestRenewalMs: number;
  /** From the end of a killed replica to the moment at which the last of its executions was taken over. */
  readonly takeoverMs: number | undefined;
}

// As in the gateway.
const RENEW_EVERY_MS = 3_000;
const LEASE_MS = 10_000;
const CLAIM_EVERY_MS = 1_000;
const APPENDS_IN_FLIGHT = 2;
const NOTIFY_PAUSE_MS = 10;
const NEWS_PER_MESSAGE = 100;
const CACHED_MS = 1_000;
/** The rate at which the costs were measured, with one workspace: reads that a cache saves were saved then, too. */
const MEASURED_PER_SECOND = 20;

interface Replica {
  readonly loop: Station;
  readonly creations: Lane;
  readonly appends: Lane;
  readonly readAt: Map<number, number>;
  readonly due: Set<Running>;
  readonly running: Set<Running>;
  isTelling: boolean;
  isAlive: boolean;
  leaseUntil: number;
}

interface Running {
  readonly workspace: number;
  readonly startedAt: number;
  epoch: number;
  appended: number;
}

/** Simulates replicas on one database, event by event, with the costs that were measured on one. */
export function simulate(costs: Costs, scenario: Scenario): Outcome {
  const { execution, crowded, idle, notify } = costs;
  const queue = new EventQueue();
  const random = randomOf(scenario.seed);
  const database = new Station(queue, scenario.databaseCores);
  const appendsPerExecution = Math.max(1, Math.round(execution.appends));
  // Of a process that is busy: one that hardly works takes more for each, and has it.
  const stepCpuMs = crowded.replicaCpuMs / (appendsPerExecution + 2);
  const { transactions: ownPerExecution, statementMs } = ownPartOf(execution, notify);
  const itemShare = itemShareOf(costs);
  const readsPerExecution = Math.max(0, ownPerExecution - 1 - execution.appends - 1 / MEASURED_PER_SECOND);
  let transactions = 0;
  let notifications = 0;
  let receptions = 0;
  let executions = 0;
  let appendItems = 0;
  let appendCommits = 0;
  let slowestRenewalMs = 0;
  let lastTakeoverAt: number | undefined;
  const latencies: number[] = [];

  function serve(workMs: number, done: () => void): void {
    transactions += 1;
    queue.after(scenario.roundTripMs / 2, () =>
      database.serve(workMs, () => queue.after(scenario.roundTripMs / 2, done)),
    );
  }
  const statement = (items: number, done: () => void) => serve(statementMs * (1 + itemShare * (items - 1)), done);

  const nothing = () => undefined;
  const replicas: Replica[] = Array.from({ length: scenario.replicas }, () => ({
    loop: new Station(queue, 1),
    creations: new Lane(1, statement),
    appends: new Lane(APPENDS_IN_FLIGHT, (items, done) => {
      appendItems += items;
      appendCommits += 1;
      statement(items, done);
    }),
    readAt: new Map(),
    due: new Set(),
    running: new Set(),
    isTelling: false,
    isAlive: true,
    leaseUntil: LEASE_MS,
  }));
  const orphans: Running[] = [];

  function every(ms: number, replica: Replica, act: () => void): void {
    const again = () => {
      if (!replica.isAlive) return;
      act();
      queue.after(ms, again);
    };
    queue.after(random() * ms, again);
  }

  function keepAlive(replica: Replica): void {
    every(RENEW_EVERY_MS, replica, () => {
      const askedAt = queue.now;
      statement(1, () => {
        slowestRenewalMs = Math.max(slowestRenewalMs, queue.now - askedAt);
        replica.leaseUntil = askedAt + LEASE_MS;
      });
    });
    every(CLAIM_EVERY_MS, replica, () => statement(1, () => takeOver(replica)));
    const othersPerSecond = idle.transactions - 1_000 / CLAIM_EVERY_MS - 1_000 / RENEW_EVERY_MS;
    if (othersPerSecond > 0) every(1_000 / othersPerSecond, replica, () => statement(1, nothing));
    let heard = 0;
    every(100, replica, () => {
      replica.loop.serve(idle.replicaCpuMs / 10 + (notifications - heard) * notify.hearMs, nothing);
      heard = notifications;
    });
  }

  function takeOver(replica: Replica): void {
    const [dead] = replicas;
    if (dead === undefined || dead.isAlive || queue.now < dead.leaseUntil) return;
    for (const running of orphans.splice(0)) {
      running.epoch += 1;
      lastTakeoverAt = queue.now;
      replica.running.add(running);
      advance(replica, running);
    }
  }

  function tell(replica: Replica): void {
    if (replica.isTelling) return;
    replica.isTelling = true;
    const send = () => {
      const news = [...replica.due].slice(0, NEWS_PER_MESSAGE);
      if (news.length === 0 || !replica.isAlive) {
        replica.isTelling = false;
        return;
      }
      for (const running of news) replica.due.delete(running);
      notifications += 1;
      serve(notify.sendMs, () => queue.after(NOTIFY_PAUSE_MS, send));
      deliver();
    };
    send();
  }

  /** Each connection that listens receives a message in a transaction. Nobody waits for it. */
  function deliver(): void {
    receptions += alive.length;
    transactions += alive.length * notify.deliverTransactions;
    queue.after(scenario.roundTripMs / 2, () => database.serve(notify.deliverMs * alive.length, nothing));
  }

  function read(replica: Replica, workspace: number): void {
    const whole = Math.floor(readsPerExecution);
    const reads = whole + (random() < readsPerExecution - whole ? 1 : 0);
    for (let count = 0; count < reads; count += 1) statement(1, nothing);
    if (queue.now - (replica.readAt.get(workspace) ?? Number.NEGATIVE_INFINITY) < CACHED_MS) return;
    replica.readAt.set(workspace, queue.now);
    statement(1, nothing);
  }

  /** One step computes, and its events are committed; in the middle of them a handler is called. */
  function advance(replica: Replica, running: Running): void {
    const { epoch } = running;
    const isStill = () => replica.isAlive && running.epoch === epoch;
    replica.loop.serve(stepCpuMs, () => {
      if (!isStill()) return;
      replica.appends.write(() => {
        if (!isStill()) return;
        running.appended += 1;
        replica.due.add(running);
        tell(replica);
        if (running.appended >= appendsPerExecution) {
          replica.running.delete(running);
          latencies.push(queue.now - running.startedAt);
          return;
        }
        const isCall = running.appended === Math.ceil(appendsPerExecution / 2);
        queue.after(isCall ? scenario.handlerMs : 0, () => {
          if (isStill()) advance(replica, running);
        });
      });
    });
  }

  let alive = replicas;
  function arrive(): void {
    queue.after((-Math.log(1 - random()) * 1_000) / scenario.perSecond, arrive);
    const replica = alive[Math.floor(random() * alive.length)];
    if (replica === undefined) return;
    const running: Running = {
      workspace: Math.floor(random() * scenario.workspaces),
      startedAt: queue.now,
      epoch: 1,
      appended: 0,
    };
    executions += 1;
    replica.loop.serve(2 * stepCpuMs, () =>
      replica.creations.write(() => {
        if (!replica.isAlive) return void orphans.push(running);
        replica.running.add(running);
        read(replica, running.workspace);
        advance(replica, running);
      }),
    );
  }

  for (const replica of replicas) keepAlive(replica);
  if (scenario.perSecond > 0) arrive();
  if (scenario.killAtSeconds !== undefined) {
    queue.after(scenario.killAtSeconds * 1_000, () => {
      const [first] = replicas;
      if (first === undefined) return;
      first.isAlive = false;
      alive = replicas.slice(1);
      orphans.push(...first.running);
    });
  }
  const endMs = scenario.seconds * 1_000;
  queue.runUntil(endMs);
  const sorted = latencies.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    executions,
    finished: sorted.length,
    transactions,
    notifications,
    receptions,
    walBytes: executions * execution.walBytes + scenario.replicas * scenario.seconds * idle.walBytes,
    appendsPerCommit: appendItems / Math.max(1, appendCommits),
    replicaLoad: Math.max(...replicas.map(({ loop }) => loop.busyMs)) / endMs,
    databaseLoad: database.busyMs / endMs / scenario.databaseCores,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    slowestRenewalMs,
    takeoverMs: lastTakeoverAt === undefined ? undefined : lastTakeoverAt - (scenario.killAtSeconds ?? 0) * 1_000,
  };
}

/** What each further item of a group takes, as a share of a statement: from the same work alone and in groups. */
export function itemShareOf({ execution, crowded, notify }: Costs): number {
  const alone = ownPartOf(execution, notify);
  const shared = ownPartOf(crowded, notify);
  const saved = alone.transactions - shared.transactions;
  return Math.min(1, Math.max(0, (shared.databaseCpuMs / alone.statementMs - shared.transactions) / saved));
}

/** What an execution takes of the database without notifications and their reception by the one replica. */
function ownPartOf(part: Costs["execution"] | Costs["crowded"], notify: NotifyCosts) {
  const transactions = ownTransactions(part, 1, notify);
  const databaseCpuMs = Math.max(0, part.databaseCpuMs - part.notifications * (notify.sendMs + notify.deliverMs));
  return { transactions, databaseCpuMs, statementMs: databaseCpuMs / transactions };
}

/** Numbers from 0 to 1 that are the same for the same seed: a linear congruence modulo 2^32, by its upper bits. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 16_777_216;
  };
}

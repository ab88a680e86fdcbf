import { type Comparison, differencesOf, type PerSecond, TOLERANCE } from "./compare-with-real.ts";
import type { Costs } from "./measure-costs.ts";
import { KILLED, SCENARIOS } from "./scenarios.ts";
import { itemShareOf, simulate } from "./simulate.ts";

/** What was measured, and when and where. */
export interface Results {
  readonly measuredOn: string;
  readonly machine: string;
  /** The commit that was measured. */
  readonly commit: string;
  /** The share of the machine's CPU time that other programs used meanwhile. */
  readonly otherPrograms: number;
  /** What has been added to the product since, so that it is in none of the figures; a new measurement has none. */
  readonly leavesOut?: string;
  readonly costs: Costs;
  readonly comparisons: readonly Comparison[];
}

const MILLION = 1_000_000;
const DAY_SECONDS = 86_400;
const CONNECTIONS = 12;

const number = (value: number, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits });
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The tables of docs/scale-measurements.md by the names of their places there. */
export function reportTables(results: Results): Readonly<Record<string, string>> {
  return {
    costs: costsTable(results.costs),
    parts: partsTable(results.costs),
    million: millionTable(results.costs),
    comparison: comparisonTable(results.comparisons),
    scenarios: scenariosTable(results.costs),
  };
}

function costsTable({ execution, crowded }: Costs): string {
  const perTable = Object.entries(execution.tableBytes).toSorted(([, left], [, right]) => right - left);
  return table(
    ["per execution", "low load", "16 at once"],
    [
      ["replica CPU, ms", number(execution.replicaCpuMs, 2), number(crowded.replicaCpuMs, 2)],
      ["PostgreSQL CPU, ms", number(execution.databaseCpuMs, 2), number(crowded.databaseCpuMs, 2)],
      [
        "transactions, including reads, notifications and their reception by the replica",
        number(execution.transactions, 1),
        number(crowded.transactions, 2),
      ],
      ["of which successive commits of its events", number(execution.appends, 1), "shared"],
      ["notifications (`NOTIFY`)", number(execution.notifications, 2), number(crowded.notifications, 2)],
      ["write-ahead log, bytes", number(execution.walBytes), number(crowded.walBytes)],
      ["disk, bytes including indexes", number(sum(Object.values(execution.tableBytes))), "the same"],
      ...perTable.map(([name, bytes]) => [`of which in \`${name}\``, number(bytes), "the same"]),
    ],
  );
}

/** What is paid beside the executions themselves. */
function partsTable(costs: Costs): string {
  const { idle, notify, start } = costs;
  return table(
    ["other cost", "measured"],
    [
      ["idle replica: CPU per second, ms", number(idle.replicaCpuMs, 1)],
      ["idle replica: transactions per second", number(idle.transactions, 1)],
      ["start of a replica: transactions without notifications", number(start.transactions)],
      ["notification: PostgreSQL CPU to send it, ms", number(notify.sendMs, 3)],
      ["notification: PostgreSQL CPU per receiving replica, ms", number(notify.deliverMs, 3)],
      ["notification: transactions per receiving replica", number(notify.deliverTransactions, 2)],
      ["notification: CPU of each receiving replica, ms", number(notify.hearMs, 3)],
      [
        "each write after the first in a shared commit: PostgreSQL CPU relative to a commit of one write",
        number(itemShareOf(costs), 2),
      ],
    ],
  );
}

function millionTable({ execution, crowded, idle }: Costs): string {
  const { exchanges = 0, ...kept } = execution.tableBytes;
  const keptBytes = sum(Object.values(kept));
  const gigabytes = (bytes: number) => `${number(bytes / 1e9, 1)} GB`;
  const cpuHours = (msEach: number) => number((msEach * MILLION) / 3.6e6, 2);
  return table(
    ["a million executions per day", ""],
    [
      ["executions per second, on average", number(MILLION / DAY_SECONDS, 1)],
      ["replicas, CPU-hours per day, low load", cpuHours(execution.replicaCpuMs)],
      ["replicas, CPU-hours per day, 16 at once", cpuHours(crowded.replicaCpuMs)],
      ["PostgreSQL, CPU-hours per day, low load", cpuHours(execution.databaseCpuMs)],
      ["PostgreSQL, CPU-hours per day, 16 at once", cpuHours(crowded.databaseCpuMs)],
      ["two idle replicas, CPU-hours per day", number((2 * idle.replicaCpuMs * DAY_SECONDS) / 3.6e6, 2)],
      ["write-ahead log per day", gigabytes(execution.walBytes * MILLION)],
      ["new rows on disk per day", gigabytes((keptBytes + exchanges) * MILLION)],
      [
        "size with 30 days of executions and 7 days of requests and responses",
        gigabytes((keptBytes * 30 + exchanges * 7) * MILLION),
      ],
      ["size after a year without deleting executions", gigabytes((keptBytes * 365 + exchanges * 7) * MILLION)],
    ],
  );
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap((comparison) => {
    const { replicas, perSecond, real, simulated } = comparison;
    const differences = differencesOf(comparison);
    const row = (what: string, of: (figures: PerSecond) => number, allowed: string, unit = 1) => [
      number(replicas),
      number(perSecond),
      what,
      number(of(real) / unit, 1),
      number(of(simulated) / unit, 1),
      `${number(of(differences) * 100)}%`,
      allowed,
    ];
    const upTo = (share: number) => `${share * 100}%`;
    return [
      row(
        "transactions/s, without sending and receiving notifications",
        (of) => of.transactions,
        upTo(TOLERANCE.transactions),
      ),
      row("write-ahead log, KB/s", (of) => of.walBytes, upTo(TOLERANCE.walBytes), 1_000),
      row("notifications/s", (of) => of.notifications, "upper bound"),
    ];
  });
  return table(["replicas", "executions/s", "what", "real", "simulated", "difference", "allowed"], rows);
}

function scenariosTable(costs: Costs): string {
  const rows = SCENARIOS.map((scenario) => {
    const outcome = simulate(costs, scenario);
    const { replicas, perSecond, seconds, handlerMs } = scenario;
    const isBehind = outcome.databaseLoad > 0.95 || outcome.replicaLoad > 0.95;
    const latency = (ms: number) => (isBehind ? "falls behind" : number(ms - handlerMs, 1));
    return [
      number(replicas),
      number(perSecond),
      `${number(outcome.replicaLoad * 100)}%`,
      `${number(outcome.databaseLoad * 100)}%`,
      number(outcome.transactions / seconds),
      number(outcome.appendsPerCommit, 1),
      number(outcome.receptions / seconds),
      number(outcome.walBytes / seconds / 1e6, 1),
      number(replicas * CONNECTIONS),
      latency(outcome.medianMs),
      latency(outcome.p99Ms),
    ];
  });
  return table(
    [
      "replicas",
      "executions/s",
      "busiest replica",
      "database, 16 cores",
      "transactions/s, including received notifications",
      "appends per commit",
      "notifications received/s, all replicas",
      "write-ahead log, MB/s",
      "connections",
      "median without the handler, ms",
      "p99 without the handler, ms",
    ],
    rows,
  );
}

/** The sentence on what the loads of the simulated replicas leave out. */
export function quietSentence({ costs: { execution, crowded, idle } }: Results): string {
  const [first] = SCENARIOS;
  if (first === undefined) throw new Error("expected a scenario");
  const each = (ms: number) => number(ms, 2);
  const load = (first.perSecond * execution.replicaCpuMs + idle.replicaCpuMs) / 10 / first.replicas;
  return `The simulation calculates the CPU time of replicas from the cost of an execution with 16 at once (${each(crowded.replicaCpuMs)} ms), because that cost determines how much a busy replica can do. It calculates the CPU time of PostgreSQL from the cost at low load, minus what shared commits save. At low load, an execution takes up to ${each(execution.replicaCpuMs)} ms, so the replica in the first row would be ${number(load)}% busy.`;
}

/** The sentence on the replica that ends. */
export function killedSentence({ costs }: Results): string {
  const { takeoverMs = Number.NaN, slowestRenewalMs } = simulate(costs, KILLED);
  return `In a simulated run, one of three replicas was killed: the others had taken over its last execution after ${number(takeoverMs / 1_000, 1)} s, and the slowest lease renewal took ${number(slowestRenewalMs, 1)} ms.`;
}

import { type Comparison, differencesOf, type PerSecond, TOLERANCE } from "./compare-with-real.ts";
import type { Costs } from "./measure-costs.ts";
import { KILLED, SCENARIOS } from "./scenarios.ts";
import { itemShareOf, simulate } from "./simulate.ts";

/** What was measured, and when and where. */
export interface Results {
  readonly measuredOn: string;
  readonly machine: string;
  readonly costs: Costs;
  readonly comparisons: readonly Comparison[];
}

const MILLION = 1_000_000;
const DAY_SECONDS = 86_400;
const CONNECTIONS = 12;

const number = (value: number, digits = 0) =>
  value.toLocaleString("en", { maximumFractionDigits: digits }).replaceAll(",", " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The tables of docs/scale.md, by the names that they have there. */
export function reportTables(results: Results): Readonly<Record<string, string>> {
  return {
    costs: costsTable(results.costs),
    million: millionTable(results.costs),
    comparison: comparisonTable(results.comparisons),
    scenarios: scenariosTable(results.costs),
  };
}

function costsTable({ execution, crowded, idle, notify, ...rest }: Costs): string {
  const perTable = Object.entries(execution.tableBytes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, bytes]) => `${name} ${number(bytes)}`);
  return table(
    ["what", "an execution alone", "an execution among 16"],
    [
      ["CPU of the replica, ms", number(execution.replicaCpuMs, 2), number(crowded.replicaCpuMs, 2)],
      ["CPU of PostgreSQL, ms", number(execution.databaseCpuMs, 2), number(crowded.databaseCpuMs, 2)],
      ["transactions, reads and messages included", number(execution.transactions, 1), number(crowded.transactions, 2)],
      ["of which commits of its events, one after another", number(execution.appends, 1), "shared"],
      ["messages to other replicas (`NOTIFY`)", number(execution.notifications, 2), "shared"],
      ["write-ahead log, bytes", number(execution.walBytes), number(crowded.walBytes)],
      [
        `on the disk, bytes with indexes: ${perTable.join(", ")}`,
        number(sum(Object.values(execution.tableBytes))),
        "the same",
      ],
      [
        "a replica that does nothing, a second: CPU-ms of it, transactions",
        `${number(idle.replicaCpuMs, 1)}, ${number(idle.transactions, 1)}`,
        "",
      ],
      ["a start of a replica: transactions", number(rest.start.transactions), ""],
      [
        "a message: CPU-ms of PostgreSQL to send it, to give it to one replica, of that replica to hear it",
        [notify.sendMs, notify.deliverMs, notify.hearMs].map((ms) => number(ms, 3)).join(", "),
        "",
      ],
      [
        "a further item of a commit, as a share of the first",
        number(itemShareOf({ execution, crowded, idle, notify, ...rest }), 2),
        "",
      ],
    ],
  );
}

function millionTable({ execution, crowded, idle }: Costs): string {
  const { exchanges = 0, ...kept } = execution.tableBytes;
  const keptBytes = sum(Object.values(kept));
  const gigabytes = (bytes: number) => `${number(bytes / 1e9, 1)} GB`;
  return table(
    ["a million executions a day", ""],
    [
      ["on average, executions a second", number(MILLION / DAY_SECONDS, 1)],
      [
        "CPU of replicas, CPU-hours a day",
        `${number((crowded.replicaCpuMs * MILLION) / 3.6e6, 2)} to ${number((execution.replicaCpuMs * MILLION) / 3.6e6, 2)}`,
      ],
      [
        "CPU of PostgreSQL, CPU-hours a day",
        `${number((crowded.databaseCpuMs * MILLION) / 3.6e6, 2)} to ${number((execution.databaseCpuMs * MILLION) / 3.6e6, 2)}`,
      ],
      ["two replicas that do nothing, CPU-hours a day", number((2 * idle.replicaCpuMs * DAY_SECONDS) / 3.6e6, 2)],
      ["write-ahead log a day", gigabytes(execution.walBytes * MILLION)],
      ["new rows on the disk a day", gigabytes((keptBytes + exchanges) * MILLION)],
      ["size with 30 days of executions and 7 of exchanges", gigabytes((keptBytes * 30 + exchanges * 7) * MILLION)],
      ["size after a year without deleting executions", gigabytes((keptBytes * 365 + exchanges * 7) * MILLION)],
    ],
  );
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  const allowed = (share: number) => `real, simulated, difference (allowed: ${share * 100} %)`;
  return table(
    [
      "replicas",
      "executions/s",
      `transactions/s without messages: ${allowed(TOLERANCE.transactions)}`,
      "messages/s: real, simulated, difference",
      `write-ahead log, KB/s: ${allowed(TOLERANCE.walBytes)}`,
    ],
    comparisons.map((comparison) => {
      const { replicas, perSecond, real, simulated } = comparison;
      const differences = differencesOf(comparison);
      const cell = (of: (figures: PerSecond) => number, unit = 1) =>
        `${number(of(real) / unit, 1)}, ${number(of(simulated) / unit, 1)}, ${number(of(differences) * 100)} %`;
      return [
        number(replicas),
        number(perSecond),
        cell(({ transactions }) => transactions),
        cell(({ notifications }) => notifications),
        cell(({ walBytes }) => walBytes, 1_000),
      ];
    }),
  );
}

function scenariosTable(costs: Costs): string {
  const rows = SCENARIOS.map((scenario) => {
    const outcome = simulate(costs, scenario);
    const { replicas, perSecond, seconds, handlerMs } = scenario;
    const isBehind = outcome.databaseLoad > 0.95 || outcome.replicaLoad > 0.95;
    const latency = isBehind
      ? "falls behind"
      : `${number(outcome.medianMs - handlerMs, 1)}, ${number(outcome.p99Ms - handlerMs, 1)}`;
    return [
      number(replicas),
      number(perSecond),
      `${number(outcome.replicaLoad * 100)} %`,
      `${number(outcome.databaseLoad * 100)} %`,
      number(outcome.transactions / seconds),
      number(outcome.appendsPerCommit, 1),
      number((outcome.notifications / seconds) * replicas),
      number(outcome.walBytes / seconds / 1e6, 1),
      number(replicas * CONNECTIONS),
      latency,
    ];
  });
  return table(
    [
      "replicas",
      "executions/s",
      "busiest replica",
      "database, 16 cores",
      "transactions/s",
      "appends a commit",
      "messages heard/s, all replicas",
      "write-ahead log, MB/s",
      "connections",
      "ms beside the handler: median, p99",
    ],
    rows,
  );
}

/** The sentence on the replica that ends. */
export function killedSentence({ costs }: Results): string {
  const { takeoverMs = Number.NaN, slowestRenewalMs } = simulate(costs, KILLED);
  return `One of three replicas ended in a simulated run: the last of its executions was taken over after ${number(takeoverMs / 1_000, 1)} s, and the slowest renewal of a lease took ${number(slowestRenewalMs, 1)} ms.`;
}

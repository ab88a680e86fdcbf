import { type Comparison, differencesOf, type PerSecond, TOLERANCE } from "./compare-with-real.ts";
import type { Costs } from "./measure-costs.ts";
import { KILLED, SCENARIOS } from "./scenarios.ts";
import { itemShareOf, simulate } from "./simulate.ts";

/** What was measured, and when and where. */
export interface Results {
  readonly measuredOn: string;
  readonly machine: string;
  /** What has been added to the product since, so that it is in none of the figures; a new measurement has none. */
  readonly leavesOut?: string;
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
    parts: partsTable(results.costs),
    million: millionTable(results.costs),
    comparison: comparisonTable(results.comparisons),
    scenarios: scenariosTable(results.costs),
  };
}

function costsTable({ execution, crowded }: Costs): string {
  const perTable = Object.entries(execution.tableBytes).toSorted(([, left], [, right]) => right - left);
  return table(
    ["what", "an execution alone", "an execution among 16"],
    [
      ["CPU of the replica, ms", number(execution.replicaCpuMs, 2), number(crowded.replicaCpuMs, 2)],
      ["CPU of PostgreSQL, ms", number(execution.databaseCpuMs, 2), number(crowded.databaseCpuMs, 2)],
      ["transactions, reads and messages included", number(execution.transactions, 1), number(crowded.transactions, 2)],
      ["of which commits of its events, one after another", number(execution.appends, 1), "shared"],
      ["messages to other replicas (`NOTIFY`)", number(execution.notifications, 2), "shared"],
      ["write-ahead log, bytes", number(execution.walBytes), number(crowded.walBytes)],
      ["on the disk, bytes with indexes", number(sum(Object.values(execution.tableBytes))), "the same"],
      ...perTable.map(([name, bytes]) => [`of which in \`${name}\``, number(bytes), "the same"]),
    ],
  );
}

/** What is paid beside the executions themselves. */
function partsTable(costs: Costs): string {
  const { idle, notify, start } = costs;
  return table(
    ["what else", "measured"],
    [
      ["a replica that does nothing: its CPU a second, ms", number(idle.replicaCpuMs, 1)],
      ["a replica that does nothing: transactions a second", number(idle.transactions, 1)],
      ["a start of a replica: transactions", number(start.transactions)],
      ["a message: CPU of PostgreSQL to send it, ms", number(notify.sendMs, 3)],
      ["a message: CPU of PostgreSQL for each replica that hears it, ms", number(notify.deliverMs, 3)],
      ["a message: CPU of each replica that hears it, ms", number(notify.hearMs, 3)],
      [
        "a second and every further write in a shared commit: CPU of PostgreSQL, where a commit of one write takes 1",
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
    ["a million executions a day", ""],
    [
      ["on average, executions a second", number(MILLION / DAY_SECONDS, 1)],
      ["CPU of replicas, CPU-hours a day, executions alone", cpuHours(execution.replicaCpuMs)],
      ["the same, executions among 16", cpuHours(crowded.replicaCpuMs)],
      ["CPU of PostgreSQL, CPU-hours a day, executions alone", cpuHours(execution.databaseCpuMs)],
      ["the same, executions among 16", cpuHours(crowded.databaseCpuMs)],
      ["two replicas that do nothing, CPU-hours a day", number((2 * idle.replicaCpuMs * DAY_SECONDS) / 3.6e6, 2)],
      ["write-ahead log a day", gigabytes(execution.walBytes * MILLION)],
      ["new rows on the disk a day", gigabytes((keptBytes + exchanges) * MILLION)],
      ["size with 30 days of executions and 7 of exchanges", gigabytes((keptBytes * 30 + exchanges * 7) * MILLION)],
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
      `${number(of(differences) * 100)} %`,
      allowed,
    ];
    const upTo = (share: number) => `${share * 100} %`;
    return [
      row("transactions/s, without messages", (of) => of.transactions, upTo(TOLERANCE.transactions)),
      row("write-ahead log, KB/s", (of) => of.walBytes, upTo(TOLERANCE.walBytes), 1_000),
      row("messages/s", (of) => of.notifications, "upper bound"),
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
      `${number(outcome.replicaLoad * 100)} %`,
      `${number(outcome.databaseLoad * 100)} %`,
      number(outcome.transactions / seconds),
      number(outcome.appendsPerCommit, 1),
      number((outcome.notifications / seconds) * replicas),
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
      "transactions/s",
      "appends a commit",
      "messages heard/s, all replicas",
      "write-ahead log, MB/s",
      "connections",
      "median, ms beside the handler",
      "p99, ms beside the handler",
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
  return `The replicas' CPU is reckoned with an execution among 16 (${each(crowded.replicaCpuMs)} ms), since that is what decides where a busy one ends; PostgreSQL's with an execution alone, less what shared commits save. A process with little to do takes up to ${each(execution.replicaCpuMs)} ms (*alone*): the replica of the first row is then ${number(load)} % busy.`;
}

/** The sentence on the replica that ends. */
export function killedSentence({ costs }: Results): string {
  const { takeoverMs = Number.NaN, slowestRenewalMs } = simulate(costs, KILLED);
  return `One of three replicas ended in a simulated run: the last of its executions was taken over after ${number(takeoverMs / 1_000, 1)} s, and the slowest renewal of a lease took ${number(slowestRenewalMs, 1)} ms.`;
}

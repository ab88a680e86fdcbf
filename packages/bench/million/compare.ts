import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startPostgres } from "../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../gateway/src/config/gateway-config.ts";
import { openBenchGateway } from "../bench-gateway.ts";
import { type Measured, messageOf, runDriver, startDriver } from "../driver.ts";
import type { GatewayTask } from "../gateway-driver.ts";
import { format, spreadOf } from "../spread.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { fillSqlite } from "./fill-sqlite.ts";
import { TABLES } from "./finished-copies.ts";
import type { LookupTimes } from "./lookups-driver.ts";

const FINISHED = 1_000_000;
const ROUNDS = 5;
const LOAD = { concurrency: 16, warmUpMs: 1_500, measuredMs: 3_000, atLeast: 2_000 };
const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString("base64")}`;

interface Side {
  readonly executions: Measured;
  readonly lookups: LookupTimes;
}

type Round = Readonly<Record<"full" | "empty", Side>>;
type Configs = Readonly<Record<"full" | "empty", GatewayConfig>>;

interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Executions, lists, claims and renewals on a store with a million ended executions, and on an empty one. */
export async function benchMillion(): Promise<void> {
  const server = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const webhook = await messageOf<Webhook>(server);
  const folder = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  try {
    await compareSqlite(folder, webhook);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await comparePostgres(folder, webhook);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareSqlite(folder: string, webhook: Webhook): Promise<void> {
  const configOf = (name: string) => ({
    dataDir: join(folder, name),
    signingSecret: webhook.secret,
    masterKeys: MASTER_KEYS,
  });
  const configs = { full: configOf("full"), empty: configOf("empty") };
  const executionId = await finishOne(configs.full, webhook);
  announce("SQLite");
  const seconds = await timed(async () => fillSqlite(configs.full.dataDir, executionId, FINISHED));
  print(`SQLite, filled in ${seconds.toFixed(0)} s`, await runRounds(configs, webhook));
}

async function comparePostgres(folder: string, webhook: Webhook): Promise<void> {
  const server = await startPostgres({ isDurable: true });
  try {
    const configOf = async () => ({
      dataDir: folder,
      signingSecret: webhook.secret,
      masterKeys: MASTER_KEYS,
      databaseUrl: await server.createDatabase(),
    });
    const configs = { full: await configOf(), empty: await configOf() };
    const executionId = await finishOne(configs.full, webhook);
    announce("PostgreSQL");
    const seconds = await timed(() => fillPostgres(configs.full.databaseUrl, executionId, FINISHED));
    const scansBefore = await readScans(configs.full.databaseUrl);
    print(`PostgreSQL, filled in ${seconds.toFixed(0)} s`, await runRounds(configs, webhook));
    const scans = (await readScans(configs.full.databaseUrl)) - scansBefore;
    console.log(`  sequential scans of the large tables meanwhile: ${scans}`);
  } finally {
    await server.stop();
  }
}

/** Filling and measuring takes minutes, in which nothing else is printed. */
function announce(store: string): void {
  console.error(`million: fills ${store} with ${FINISHED} executions, then measures ${ROUNDS} rounds`);
}

/** The execution that all the others are copies of. */
async function finishOne(config: GatewayConfig, { url }: Webhook): Promise<string> {
  const gateway = await openBenchGateway(config, url);
  const executionId = await gateway.execute();
  await gateway.close();
  return executionId;
}

async function runRounds(configs: Configs, { url }: Webhook): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  const run = async (config: GatewayConfig): Promise<Side> => {
    const task: GatewayTask = { config, url, load: LOAD };
    const executions = await runDriver(new URL("../gateway-driver.ts", import.meta.url), [JSON.stringify(task)]);
    const script = new URL("lookups-driver.ts", import.meta.url);
    return { executions, lookups: await runDriver<LookupTimes>(script, [JSON.stringify(task)]) };
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first as often as the other.
    const first = round % 2 === 0 ? "full" : "empty";
    const one = await run(configs[first]);
    const other = await run(configs[first === "full" ? "empty" : "full"]);
    rounds.push(first === "full" ? { full: one, empty: other } : { full: other, empty: one });
  }
  return rounds;
}

/** How often one of the large tables was read from its beginning to its end. */
async function readScans(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ scans: number }>(
      "SELECT sum(seq_scan)::integer AS scans FROM pg_stat_user_tables WHERE relname = ANY($1::text[])",
      [[...TABLES.keys()]],
    );
    return rows[0]?.scans ?? Number.NaN;
  } finally {
    await client.end();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1_000;
}

const LOOKUPS: readonly (readonly [label: string, timeOf: (times: LookupTimes) => number])[] = [
  ["first page of the list", ({ firstPage }) => firstPage],
  ["second page of the list", ({ laterPage }) => laterPage],
  ["claim of lapsed executions", ({ claim }) => claim],
  ["claim of those that are due", ({ waking }) => waking],
  ["renewal of leases", ({ renewal }) => renewal],
];

function print(store: string, rounds: readonly Round[]): void {
  const line = (label: string, figure: (round: Round) => number, digits?: number) =>
    console.log(`  ${label.padEnd(52)} ${format(spreadOf(rounds.map(figure)), digits)}`);
  const rate = ({ executions, seconds }: Measured) => executions / seconds;
  const cpu = ({ executions, cpuMs }: Measured) => cpuMs / executions;
  const setting = `${LOAD.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\n${FINISHED} executions that have ended against none, ${store}, ${setting}`);
  line("none: executions/s", ({ empty }) => rate(empty.executions), 0);
  line("a million: executions/s", ({ full }) => rate(full.executions), 0);
  line("rate, ratio (goal: at least 0.9)", ({ full, empty }) => rate(full.executions) / rate(empty.executions));
  line("CPU, ratio", ({ full, empty }) => cpu(full.executions) / cpu(empty.executions));
  for (const [label, timeOf] of LOOKUPS) {
    line(`${label}: ms with a million`, ({ full }) => timeOf(full.lookups), 2);
    line(`${label}: ratio`, ({ full, empty }) => timeOf(full.lookups) / timeOf(empty.lookups));
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installOnce } from "../../../scripts/install-once.ts";
import { startPostgres } from "../../../test/services/postgres.ts";
import { type Measured, messageOf, runDriver, startDriver } from "../driver.ts";
import type { GatewayTask } from "../gateway-driver.ts";
import { format, spreadOf } from "../spread.ts";

const ROUNDS = 5;
const CONCURRENCIES = [16, 100];
const TIMES = { warmUpMs: 1_500, measuredMs: 3_000, atLeast: 800 };
/** Connections of each process to the server: the gateway's default. */
const CONNECTIONS = 12;
const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString("base64")}`;

const SUBJECTS = ["yagate", "dbos", "pgBoss", "pgBossOneJob"] as const;
type Round = Readonly<Record<(typeof SUBJECTS)[number], Measured>>;

/**
 * Durable executions on one PostgreSQL server that waits for its disk, in one process each: the gateway, DBOS, and
 * pg-boss in two ways. The peers call the webhook unsigned.
 */
export async function benchPostgres(): Promise<void> {
  if (await installOnce(fileURLToPath(new URL("../peers", import.meta.url)))) console.log("installed the peers");
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const { url, secret } = await messageOf<{ url: string; secret: string }>(webhook);
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const server = await startPostgres({ isDurable: true });
  try {
    const databases = await databasesOf(() => server.createDatabase());
    for (const concurrency of CONCURRENCIES) {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await runRound({ databases, url, secret, dataDir, concurrency }));
      }
      print(concurrency, rounds);
    }
  } finally {
    webhook.kill();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Databases = Readonly<Record<(typeof SUBJECTS)[number], string>>;

async function databasesOf(create: () => Promise<string>): Promise<Databases> {
  return { yagate: await create(), dbos: await create(), pgBoss: await create(), pgBossOneJob: await create() };
}

async function runRound(options: {
  readonly databases: Databases;
  readonly url: string;
  readonly secret: string;
  readonly dataDir: string;
  readonly concurrency: number;
}): Promise<Round> {
  const { databases, url, concurrency } = options;
  const load = { ...TIMES, concurrency };
  const config = {
    dataDir: options.dataDir,
    databaseUrl: databases.yagate,
    databaseConnections: CONNECTIONS,
    signingSecret: options.secret,
    masterKeys: MASTER_KEYS,
  };
  const task: GatewayTask = { config, url, load };
  const peer = (file: string, databaseUrl: string, more: object = {}) => {
    const script = new URL(`../peers/${file}`, import.meta.url);
    return runDriver(script, [JSON.stringify({ databaseUrl, url, load, connections: CONNECTIONS, ...more })]);
  };
  return {
    dbos: await peer("dbos-driver.js", databases.dbos),
    yagate: await runDriver(new URL("../gateway-driver.ts", import.meta.url), [JSON.stringify(task)]),
    pgBoss: await peer("pg-boss-driver.js", databases.pgBoss),
    pgBossOneJob: await peer("pg-boss-driver.js", databases.pgBossOneJob, { isOneJob: true }),
  };
}

const LABELS = {
  yagate: "Yagate, signed",
  dbos: "DBOS, each step a step",
  pgBoss: "pg-boss, each step a job",
  pgBossOneJob: "pg-boss, one job, its steps not recorded",
} satisfies Record<(typeof SUBJECTS)[number], string>;

function print(concurrency: number, rounds: readonly Round[]): void {
  const rate = (of: Measured) => of.executions / of.seconds;
  const cpu = (of: Measured) => of.cpuMs / of.executions;
  const line = (label: string, figure: (round: Round) => number, digits?: number) =>
    console.log(`  ${label.padEnd(58)} ${format(spreadOf(rounds.map(figure)), digits)}`);
  const setting = `${concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\nExecution, PostgreSQL with fsync, ${CONNECTIONS} connections, ${setting}`);
  for (const subject of SUBJECTS) line(`${LABELS[subject]}: executions/s`, (round) => rate(round[subject]), 0);
  for (const subject of SUBJECTS) line(`${LABELS[subject]}: CPU-ms an execution`, (round) => cpu(round[subject]), 3);
  for (const subject of SUBJECTS) {
    if (subject === "yagate") continue;
    const goal = subject === "dbos" ? " (goal: at least 3)" : "";
    line(`rate, ratio to ${LABELS[subject]}${goal}`, (round) => rate(round.yagate) / rate(round[subject]));
    line(`CPU, ratio to ${LABELS[subject]}`, (round) => cpu(round.yagate) / cpu(round[subject]));
  }
}

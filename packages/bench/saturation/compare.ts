import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { repositoryRoot } from "../../../scripts/repository-root.ts";
import { startPostgres } from "../../../test/services/postgres.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

const ROUNDS = 3;
/** Executions of the saturating workspace on each gateway: more than it has slots. */
const HANGING = 600;
const AT_ONCE = 25;
/** Of the workspace beside it, in each round. */
const SAMPLES = 200;
const EVERY_MS = 25;
/** Maximum wait for the start of an execution. An execution that has not started by then counts with this value. */
const PATIENCE_MS = 20_000;

/** URLs over which the hanging executions are spread. Each has at most 64 calls in flight. */
const SCENARIOS = [
  { name: "600 executions on one URL that hangs", urls: 1 },
  { name: "600 executions on 20 URLs that hang", urls: 20 },
];

interface Caller {
  readonly key: string;
  readonly agents: readonly string[];
}

/**
 * Measures how soon executions of a workspace start while those of another workspace hang, on SQLite and on three
 * replicas that share one PostgreSQL. `YAGATE_BENCH_CHECKOUT` names another checkout whose gateway is measured instead
 * of this one.
 */
export async function benchSaturation(): Promise<void> {
  const checkout = process.env["YAGATE_BENCH_CHECKOUT"] ?? repositoryRoot;
  const service = await startService();
  const server = await startPostgres({ isDurable: true });
  try {
    for (const scenario of SCENARIOS) {
      for (const replicas of [1, 3]) {
        const store = replicas === 1 ? "SQLite" : `${replicas} replicas of one PostgreSQL`;
        console.log(`\nSaturation, ${store}: ${scenario.name}; delay from creation to start beside them`);
        for (let round = 0; round < ROUNDS; round += 1) {
          const databaseUrl = replicas === 1 ? undefined : await server.createDatabase();
          print(await measure({ checkout, replicas, databaseUrl, url: service.url, urls: scenario.urls }));
        }
      }
    }
  } finally {
    await server.stop();
    service.close();
  }
}

function print(delays: readonly number[]): void {
  const sorted = delays.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  const late = sorted.filter((delay) => delay >= PATIENCE_MS).length;
  const figures = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
  console.log(`  ${figures}${late === 0 ? "" : `; ${late} of ${SAMPLES} not started after ${PATIENCE_MS / 1_000} s`}`);
}

interface Round {
  readonly checkout: string;
  readonly replicas: number;
  readonly databaseUrl: string | undefined;
  readonly url: string;
  readonly urls: number;
}

async function measure({ checkout, replicas, databaseUrl, url, urls }: Round): Promise<readonly number[]> {
  const directory = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const gateways: ServedGateway[] = [];
  try {
    for (let index = 0; index < replicas; index += 1) {
      const store = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
      gateways.push(await serveGateway(checkout, { YAGATE_DATA_DIR: join(directory, String(index)), ...store }));
    }
    const [first] = gateways;
    if (first === undefined) throw new Error("expected a gateway");
    const hanging = Array.from({ length: urls }, (_, index) => `${url}/hang/${index}`);
    const greedy = await openWorkspace(first, "greedy", hanging);
    const modest = await openWorkspace(first, "modest", [`${url}/quick`]);
    for (const gateway of gateways) await startMany(gateway, greedy);
    // Accepted executions are in flight or queued at that time.
    await pass(3_000);
    return await startDelays(gateways, modest);
  } finally {
    for (const gateway of gateways) await gateway.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A workspace with its own key, and an agent for each handler URL. */
async function openWorkspace(gateway: ServedGateway, name: string, handlers: readonly string[]): Promise<Caller> {
  const { id: workspaceId } = await gateway.call("POST", "/v1/workspaces", { name });
  const scopes = ["agents", "executions"];
  const { key } = await gateway.call("POST", "/v1/api-keys", { name, scopes, workspaceId });
  const agents: string[] = [];
  for (const handler of handlers) {
    const work = { name: "work", description: "Works.", parameters: { type: "object" }, handler, timeout: 600_000 };
    const agent = { name, model: "scripted/turns", tools: [work] };
    agents.push(String((await gateway.call("POST", "/v1/agents", agent, String(key)))["id"]));
  }
  return { key: String(key), agents };
}

const REQUEST = {
  input: "go",
  script: { turns: [{ toolCalls: [{ name: "work", parameters: {} }] }, { text: "done" }] },
};

async function start(gateway: ServedGateway, { key, agents }: Caller, number: number): Promise<string> {
  const path = `/v1/agents/${agents[number % agents.length]}/executions`;
  return String((await gateway.call("POST", path, REQUEST, key))["id"]);
}

async function startMany(gateway: ServedGateway, caller: Caller): Promise<void> {
  let started = 0;
  const worker = async () => {
    while (started < HANGING) {
      started += 1;
      await start(gateway, caller, started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** In ms, as the journal has them. */
async function startDelays(gateways: readonly ServedGateway[], caller: Caller): Promise<readonly number[]> {
  const samples: Promise<number>[] = [];
  for (let number = 0; number < SAMPLES; number += 1) {
    const gateway = gateways[number % gateways.length];
    if (gateway !== undefined) samples.push(sampleDelay(gateway, caller, number));
    await pass(EVERY_MS);
  }
  return Promise.all(samples);
}

async function sampleDelay(gateway: ServedGateway, caller: Caller, number: number): Promise<number> {
  const id = await start(gateway, caller, number);
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const { createdAt, startedAt } = await gateway.call("GET", `/v1/executions/${id}`, undefined, caller.key);
    if (typeof startedAt === "string") return Date.parse(startedAt) - Date.parse(String(createdAt));
    await pass(1_000);
  }
  return PATIENCE_MS;
}

/** A service whose path `/quick` responds immediately. No other path ever answers. */
async function startService() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/quick") {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ result: "done" }));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Yagate } from "@yagate/client";
import { hasPostgres, startPostgres } from "../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../gateway/src/config/gateway-config.ts";
import { messageOf, startDriver } from "../driver.ts";
import { format, spreadOf } from "../spread.ts";
import type { AttackTask } from "./attack-driver.ts";
import type { GatewayProcessTask, LoopReport } from "./gateway-process.ts";

const RESULTS = 20;
const RESULT_CHARACTERS = 490_000;
const ROUNDS = 3;
/** How long a client stays that does not read. */
const STAY_MS = 3_000;
const API_KEY = "yk_bench_0123456789abcdefghijklmnopqrstuvwxyz";
/** A gateway that responds quickly again has no work left for disconnected clients. */
const QUIET = { probes: 10, withinMs: 25, mostMs: 120_000 } as const;

const DROPPED_STREAMS = { path: "events", leaves: "at_first_byte" } as const;
const ATTACKS = [
  { name: "300 streams, dropped", clients: 300, ...DROPPED_STREAMS },
  { name: "600 streams, dropped", clients: 600, ...DROPPED_STREAMS },
  { name: "300 streams, never read", clients: 300, path: "events", leaves: "unread" },
  { name: "20 requests for its tool calls, dropped", clients: 20, path: "tool-calls", leaves: "after_sending" },
] as const;

/** The effect of an attack on a gateway, over all rounds. */
interface Effect {
  readonly latencies: readonly number[];
  readonly stalls: readonly number[];
}

/**
 * Measures how long `/healthz` takes while many clients open and drop the streams of one execution with large results.
 *
 * `YAGATE_BENCH_CHECKOUT` names the folder of another checkout, whose gateway is attacked alternately with this one's.
 */
export async function benchStreams(): Promise<void> {
  const other = process.env["YAGATE_BENCH_CHECKOUT"];
  const own = fileURLToPath(new URL("../../..", import.meta.url));
  const checkouts = [...(other === undefined ? [] : [{ name: "other", folder: other }]), { name: "own", folder: own }];
  const effects = new Map<string, Effect>();
  const add = (label: string, latencies: readonly number[], stall: number) => {
    print(label, latencies, [stall]);
    const { latencies: earlier = [], stalls = [] } = effects.get(label) ?? {};
    effects.set(label, { latencies: [...earlier, ...latencies], stalls: [...stalls, stall] });
  };
  console.log(`\nStreams of an execution with ${RESULTS} results of ${RESULT_CHARACTERS} characters: /healthz, in ms`);
  const postgres = hasPostgres() ? await startPostgres() : undefined;
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, folder } of checkouts) {
        await measure(folder, {}, (attack, ...effect) => add(`SQLite, ${name}: ${attack}`, ...effect));
        if (postgres === undefined) continue;
        const databaseUrl = await postgres.createDatabase();
        await measure(folder, { databaseUrl }, (attack, ...effect) => add(`PostgreSQL, ${name}: ${attack}`, ...effect));
      }
    }
  } finally {
    await postgres?.stop();
  }
  console.log("  all rounds");
  for (const [label, { latencies, stalls }] of effects) print(label, latencies, stalls);
}

function print(label: string, latencies: readonly number[], stalls: readonly number[]): void {
  const sorted = latencies.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
  const probes = `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}, of ${sorted.length} probes`;
  console.log(`  ${label.padEnd(62)} ${probes}; longest stall ${format(spreadOf(stalls), 0)}`);
}

async function measure(
  checkout: string,
  rest: Partial<GatewayConfig>,
  add: (attack: string, latencies: readonly number[], stall: number) => void,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const config: GatewayConfig = { port: 0, dataDir, apiKey: API_KEY, allowCidrs: ["127.0.0.0/8"], logLevel: "silent" };
  const task: GatewayProcessTask = { checkout, config: { ...config, drainMs: 0, ...rest } };
  const gateway = startDriver(new URL("gateway-process.ts", import.meta.url), [JSON.stringify(task)]);
  const longestStall = async () => {
    gateway.send("report");
    return (await messageOf<LoopReport>(gateway)).longestStallMs;
  };
  try {
    const { url } = await messageOf<{ url: string }>(gateway);
    const id = await executeAtLength(url);
    const port = Number(new URL(url).port);
    for (const attack of ATTACKS) {
      const { name, clients, leaves } = attack;
      await longestStall();
      const request = requestFor(`/v1/executions/${id}/${attack.path}`);
      const latencies = await probeDuring(url, { port, request, clients, leaves, stayMs: STAY_MS });
      add(name, latencies, await longestStall());
    }
  } finally {
    const ended = once(gateway, "exit");
    gateway.disconnect();
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Probes from just before an attack until the gateway is as fast as before. */
async function probeDuring(url: string, task: AttackTask): Promise<readonly number[]> {
  const probe = startDriver(new URL("probe-driver.ts", import.meta.url), [url]);
  await messageOf(probe);
  await pass(500);
  probe.send("begin");
  await messageOf(probe);
  const attack = startDriver(new URL("attack-driver.ts", import.meta.url), [JSON.stringify(task)]);
  const ended = once(attack, "exit");
  await messageOf(attack);
  await ended;
  await untilQuiet(url);
  probe.send("end");
  const latencies = await messageOf<number[]>(probe);
  probe.disconnect();
  await once(probe, "exit");
  return latencies;
}

async function untilQuiet(url: string): Promise<void> {
  const until = performance.now() + QUIET.mostMs;
  for (let quick = 0; quick < QUIET.probes && performance.now() < until; ) {
    const askedAt = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    quick = performance.now() - askedAt < QUIET.withinMs ? quick + 1 : 0;
  }
}

function requestFor(path: string): string {
  return [`GET ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${API_KEY}`, "", ""].join("\r\n");
}

async function executeAtLength(url: string): Promise<string> {
  const handler = createServer((request, response) => {
    request.resume().once("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ result: "r".repeat(RESULT_CHARACTERS) }));
    });
  }).listen(0, "127.0.0.1");
  await once(handler, "listening");
  const { port } = handler.address() as AddressInfo;
  const client = new Yagate({ baseUrl: url, apiKey: API_KEY });
  const agent = await client.agents.create({
    name: "bench",
    model: "scripted/turns",
    tools: [
      {
        name: "report",
        description: "Read a report.",
        parameters: { type: "object", properties: {} },
        handler: `http://127.0.0.1:${port}/`,
        sideEffect: "read_only",
      },
    ],
    limits: { maxToolResultTokens: 100_000_000 },
  });
  const toolCalls = Array.from({ length: RESULTS }, () => ({ name: "report", parameters: {} }));
  const { id } = await client.agents.start(agent.id, {
    input: "go",
    script: { turns: [{ toolCalls }, { text: "done" }] },
  });
  const ended = await client.executions.events(id).result();
  handler.close();
  handler.closeAllConnections();
  if (ended.status !== "completed") throw new Error(`unexpected end: ${ended.status}`);
  return id;
}

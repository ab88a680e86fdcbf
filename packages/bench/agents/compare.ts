import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentSchema, workspaceToolSchema } from "@yagate/protocol";
import { createGateway } from "../../gateway/src/gateway.ts";
import { UNLIMITED_PLANS } from "../unlimited-plans.ts";
import { countCompilations } from "./count-compilations.ts";
import { createTimedApi, listAll, type TimedApi } from "./requests.ts";

const AGENTS = 1_000;
const TOOLS = 25;
/** Number of an agent's tools that are workspace tools. */
const REFERENCES = 5;
const WARM_UP = 50;
const LIST_ROUNDS = 10;
const LIMIT_MS = 50;

/** A tool whose parameters are as large as those of most. */
function toolOf(name: string) {
  const field = (description: string) => ({ type: "string", description, minLength: 1, maxLength: 200 });
  return {
    name,
    description: "Looks up orders by their number, their customer or their time.",
    parameters: {
      type: "object",
      properties: {
        orderId: { ...field(`Number of the order, for ${name}.`), pattern: "^ORD-[0-9]+$" },
        customer: field("Name of the customer."),
        since: { ...field("Not older than this."), format: "date-time" },
        status: { type: "string", enum: ["open", "sent", "returned"] },
        limit: { type: "integer", minimum: 1, maximum: 100 },
      },
      required: ["orderId"],
      additionalProperties: false,
    },
    handler: "https://127.0.0.1/tools",
    sideEffect: "read_only",
  };
}

/** Saves, reads and lists agents with the maximum number of tools. */
export async function benchAgents(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
  const gateway = createGateway({
    plans: UNLIMITED_PLANS,
    port: 0,
    dataDir,
    apiKey,
    allowCidrs: ["127.0.0.0/8"],
    logLevel: "silent",
  });
  try {
    const { url } = await gateway.start();
    console.log(
      `\nAgents, ${AGENTS} with ${TOOLS} tools each, one request after the other, Node ${process.versions.node}`,
    );
    const warmUp = createTimedApi(url, apiKey);
    const shared = await makeTools(warmUp);
    await makeAgents(warmUp, WARM_UP, shared);
    await listAll(warmUp, "list", 50);
    const api = createTimedApi(url, apiKey);
    const ids = await makeAgents(api, AGENTS, shared);
    for (const id of ids) await api.send("read", "GET", `/v1/agents/${id}`);
    for (const id of ids) await api.send("change", "PATCH", `/v1/agents/${id}`, { systemPrompt: "Be brief." });
    const lists = { "list, 50 a page": 50, "list, 200 a page": 200 };
    for (const [kind, limit] of Object.entries(lists)) {
      for (let round = 0; round < LIST_ROUNDS; round += 1) {
        const listed = await listAll(api, kind, limit);
        if (listed !== AGENTS + WARM_UP) throw new Error(`expected ${AGENTS + WARM_UP} agents, got ${listed}`);
      }
    }
    for (const kind of ["save", "read", "change", ...Object.keys(lists)]) print(kind, api.timesOf(kind));
    const agent = agentSchema.parse(await api.send("one", "GET", `/v1/agents/${ids[0]}`));
    const own = { ...agent, tools: agent.tools.filter((tool) => !("tool" in tool)) };
    const { compiled, calls, schemas } = await countCompilations(own, 100);
    console.log(`  ${calls} calls of its ${own.tools.length} own tools with ${schemas} schemas compile ${compiled}`);
  } finally {
    await gateway.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeTools(api: TimedApi): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < REFERENCES; index += 1) {
    const made = await api.send("tool", "POST", "/v1/tools", { definition: toolOf(`shared_${index}`) });
    ids.push(workspaceToolSchema.parse(made).id);
  }
  return ids;
}

async function makeAgents(api: TimedApi, count: number, shared: readonly string[]): Promise<readonly string[]> {
  const own = Array.from({ length: TOOLS - REFERENCES }, (_, index) => toolOf(`own_${index}`));
  const tools = [...own, ...shared.map((tool) => ({ tool }))];
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { name: `Agent ${index}`, model: "scripted/turns", tools };
    ids.push(agentSchema.parse(await api.send("save", "POST", "/v1/agents", body)).id);
  }
  return ids;
}

function print(kind: string, times: readonly number[]): void {
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  const goal = `(goal of p99: ${LIMIT_MS})`;
  console.log(
    `  ${kind.padEnd(18)} ${times.length} requests, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ${goal}`,
  );
}

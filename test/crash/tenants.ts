import { createServer } from "node:http";
import { type Execution, Yagate } from "@yagate/client";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import type { GatewayProcess } from "./gateway-process.ts";

/** A service whose path `/quick` answers at once. No other path answers before it is released. */
export interface HangingService {
  readonly url: string;
  /** Answers every request, those that hang and those that come. */
  release(): void;
  /** Requests to other paths than `/quick` so far. */
  readonly hanging: number;
}

export async function startHangingService(): Promise<HangingService> {
  let hanging = 0;
  const released = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    if (request.url !== "/quick") {
      hanging += 1;
      await released.promise;
    }
    response.setHeader("content-type", "application/json").end(JSON.stringify({ result: "done" }));
  });
  const origin = await listenOnLoopback(server);
  return {
    url: origin,
    release: () => released.resolve(),
    get hanging() {
      return hanging;
    },
  };
}

interface AgentOptions {
  readonly approval?: "always";
  /** Of the tool. */
  readonly sideEffect?: "non_idempotent_write";
}

/** A workspace with keys of its own. */
export interface Tenant {
  /** Its client at a replica. */
  at(replica: GatewayProcess): Yagate;
  /** A client at a replica that may decide on approvals. */
  leadAt(replica: GatewayProcess): Yagate;
  /** Makes an agent with one tool, `work`, behind this URL. */
  createAgent(replica: GatewayProcess, handler: string, options?: AgentOptions): Promise<string>;
}

export async function createTenant(gateway: GatewayProcess, name: string): Promise<Tenant> {
  const { id: workspaceId } = await gateway.client.workspaces.create({ name });
  const { key } = await gateway.client.apiKeys.create({ name, scopes: ["agents", "executions"], workspaceId });
  const lead = await gateway.client.apiKeys.create({ name: "lead", scopes: ["approvals"], workspaceId });
  const at = ({ url }: GatewayProcess) => new Yagate({ baseUrl: url, apiKey: key, maxRetries: 0 });
  return {
    at,
    leadAt: ({ url }) => new Yagate({ baseUrl: url, apiKey: lead.key, maxRetries: 0 }),
    async createAgent(replica, handler, { approval, ...declared } = {}) {
      const call = { parameters: { type: "object" }, handler, timeout: 600_000, ...declared };
      const tools = [{ name: "work", description: "Works.", ...call }];
      const agent = {
        name,
        model: "scripted/turns",
        tools,
        ...(approval === undefined ? {} : { policy: { approval } }),
      };
      return (await at(replica).agents.create(agent)).id;
    },
  };
}

export const REQUEST = {
  input: "go",
  script: { turns: [{ toolCalls: [{ name: "work", parameters: {} }] }, { text: "done" }] },
};
const AT_ONCE = 25;

/** Starts so many executions, of these agents in turn. */
export async function startMany(client: Yagate, agentIds: readonly string[], count: number): Promise<void> {
  let started = 0;
  const worker = async () => {
    while (started < count) {
      const agentId = agentIds[started % agentIds.length] ?? "";
      started += 1;
      await client.agents.start(agentId, REQUEST);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Executes once and gives the execution as it is when it has ended, or after `withinMs`. */
export async function executeWithin(client: Yagate, agentId: string, withinMs: number): Promise<Execution> {
  const { id } = await client.agents.start(agentId, REQUEST);
  const signal = AbortSignal.timeout(withinMs);
  try {
    for await (const _event of client.executions.events(id, { signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return client.executions.get(id);
}

/** From its creation to its first event, in ms; infinite when it has not started. */
export function startDelayOf({ createdAt, startedAt }: Execution): number {
  return startedAt === null ? Number.POSITIVE_INFINITY : Date.parse(startedAt) - Date.parse(createdAt);
}

/** What a replica's metrics say, by series. */
export async function metricsOf({ url, apiKey }: GatewayProcess): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${apiKey}` } });
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

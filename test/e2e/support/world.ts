import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type AgentDefinition, type ExecuteRequest, type ExecutionResult, Yagate } from "@yagate/client";
import { createGateway, type GatewayConfig } from "@yagate/gateway";
import { generateSigningSecret, type Script } from "@yagate/protocol";
import { onTestFinished } from "vitest";
import { placeMigratedJournal } from "../../services/migrated-stores.ts";

/** A gateway and a client of it, as an application has them. */
export interface World {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** Signs the calls. */
  readonly secret: string;
  readonly client: Yagate;
  /** An agent whose model plays the turns that each execution brings along. */
  createAgent(tools: AgentDefinition["tools"], change?: Partial<AgentDefinition>): Promise<Agent>;
  /** Creates such an agent and executes it. */
  play(
    tools: AgentDefinition["tools"],
    turns: Script["turns"],
    request?: Partial<ExecuteRequest>,
  ): Promise<ExecutionResult>;
}

/** Starts a gateway on a free port with an empty data directory; both are gone after the test. */
export async function openWorld(config: Partial<GatewayConfig> = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-e2e-"));
  await placeMigratedJournal(dataDir);
  const apiKey = "yk_e2e_0123456789abcdef0123456789abcdef";
  const secret = generateSigningSecret();
  const gateway = createGateway({
    port: 0,
    dataDir,
    apiKey,
    signingSecret: secret,
    allowCidrs: ["127.0.0.0/8"],
    logLevel: "silent",
    drainMs: 0,
    // Tests ask faster than a tenant may.
    plans: { standard: { requestsPerSecond: null } },
    ...config,
  });
  const { url } = await gateway.start();
  onTestFinished(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const client = new Yagate({ baseUrl: url, apiKey });
  const createAgent: World["createAgent"] = (tools, change) =>
    client.agents.create({ name: "Order desk", model: "scripted/turns", tools, ...change });
  return {
    url,
    apiKey,
    dataDir,
    secret,
    client,
    createAgent,
    async play(tools, turns, request) {
      const agent = await createAgent(tools);
      return client.agents.execute(agent.id, { input: "Where is my order?", script: { turns }, ...request });
    },
  };
}

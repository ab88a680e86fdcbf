import type { Agent, Yagate } from "@yagate/client";
import { DEMO_TOOLS, isDemoUrl, startDemoService } from "./demo-service.ts";

const NAME = "Demo";
const MODEL = "scripted/keyword";
const PROMPT = "You answer questions about orders. Use the tools; never guess.";
/** Only the newest agents are searched for the demo agent, because a developer has few. */
const MAX_SEARCHED = 200;
const QUESTION = "Where is order ORD-12345, and what would express shipping to Berlin cost?";

/** The demo agent of a development gateway, and its handler in this process. */
export interface Demo {
  /** Whether the agent was created just now, so that the user has not seen it yet. */
  readonly isNew: boolean;
  /** Starts an execution of the demo agent, which continues in the gateway. Returns its id. */
  run(): Promise<string>;
  stop(): void;
}

interface DemoOptions {
  readonly client: Yagate;
  readonly signingSecret: string;
}

/**
 * Creates the demo agent in a workspace without agents, or connects an existing one to this process's handler.
 *
 * @returns undefined if the workspace has agents, but not the demo agent.
 */
export async function openDemo({ client, signingSecret }: DemoOptions): Promise<Demo | undefined> {
  const { data: agents } = await client.agents.list({ limit: MAX_SEARCHED }).page();
  const existing = agents.find(({ tools }) => tools.some(isDemoTool));
  if (existing === undefined && agents.length > 0) return undefined;
  const { url, stop } = await startDemoService(signingSecret);
  const { id } = existing === undefined ? await create(client, url) : await connect(client, existing, url);
  return {
    isNew: existing === undefined,
    run: async () => (await client.agents.start(id, { input: QUESTION })).id,
    stop,
  };
}

function create(client: Yagate, handler: string): Promise<Agent> {
  const tools = Object.values(DEMO_TOOLS).map((tool) => ({ ...tool, handler }));
  return client.agents.create({ name: NAME, model: MODEL, systemPrompt: PROMPT, tools });
}

/** Sets the URL of the demo's tools. Everything else stays as the user may have changed it. */
async function connect(client: Yagate, agent: Agent, handler: string): Promise<Agent> {
  if (agent.tools.every((tool) => !isDemoTool(tool) || tool.handler === handler)) return agent;
  const tools = agent.tools.map((tool) => (isDemoTool(tool) ? { ...tool, handler } : tool));
  return client.agents.update(agent.id, { tools });
}

type AgentTool = Agent["tools"][number];

function isDemoTool(tool: AgentTool): tool is Extract<AgentTool, { handler: string }> {
  return "handler" in tool && typeof tool.handler === "string" && isDemoUrl(tool.handler);
}

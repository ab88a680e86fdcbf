import type { Agent, Yagate } from "@yagate/client";
import { DEMO_TOOLS, startDemoService } from "./demo-service.ts";

const NAME = "Demo";
const MODEL = "scripted/keyword";
const PROMPT = "You answer questions about orders. Use the tools; never guess.";
/** Maximum number of agents among which the demo agent is searched for. A developer's workspace has few agents. */
const MAX_LISTED = 200;
const QUESTION = "Where is order ORD-12345, and what would express shipping to Berlin cost?";

/** The demo agent of a development gateway, and its handler in this process. */
export interface Demo {
  /** Whether the agent was created just now, so that the user has not seen it yet. */
  readonly isNew: boolean;
  /** Starts an execution of the demo agent, which goes on in the gateway. Returns its id. */
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
  const agents = await client.agents.list({ limit: MAX_LISTED }).toArray();
  const existing = agents.find(({ name, tools }) => name === NAME && handlerOf(tools) !== undefined);
  if (existing === undefined && agents.length > 0) return undefined;
  const service = await startDemoService(signingSecret);
  const tools = Object.values(DEMO_TOOLS).map((tool) => ({ ...tool, handler: service.url }));
  if (existing !== undefined && handlerOf(existing.tools) !== service.url) {
    await client.agents.update(existing.id, { tools });
  }
  const { id } = existing ?? (await client.agents.create({ name: NAME, model: MODEL, systemPrompt: PROMPT, tools }));
  return {
    isNew: existing === undefined,
    run: async () => (await client.agents.start(id, { input: QUESTION })).id,
    stop: service.stop,
  };
}

function handlerOf(tools: Agent["tools"]): string | undefined {
  const tool = tools.find((one) => "name" in one && one.name === DEMO_TOOLS.lookupOrder.name);
  return tool !== undefined && "handler" in tool && typeof tool.handler === "string" ? tool.handler : undefined;
}

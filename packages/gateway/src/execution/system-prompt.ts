import type { Agent } from "@yagate/protocol";
import type { Toolset } from "../tools/port.ts";

/** What the model is told: the agent's own words, and what its tools need to be known of them. */
export async function systemPromptFor(
  { systemPrompt }: Pick<Agent, "systemPrompt">,
  { tools }: Toolset,
  workspaceId: string,
): Promise<string> {
  const offered = [...tools.values()].filter(({ policyDecision }) => policyDecision.decision !== "denied");
  const guidances = new Set(offered.flatMap(({ guidance }) => (guidance === undefined ? [] : [guidance])));
  const told = await Promise.all([...guidances].map((guidance) => guidance(workspaceId)));
  return [systemPrompt, ...told].filter((text) => text !== "").join("\n\n");
}

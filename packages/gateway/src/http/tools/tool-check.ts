import type { Agent, FieldError } from "@yagate/protocol";
import { type AgentCheckOptions, checkAgentTools } from "../../tools/check-agent-tools.ts";
import type { CompleteWorkspaceDefinition } from "./complete-definition.ts";

/** Finds what keeps a complete definition from being used, all of it at once; paths begin with `definition`. */
export type ToolCheck = (
  workspaceId: string,
  definition: CompleteWorkspaceDefinition,
) => Promise<readonly FieldError[]>;

/** What an agent is checked against, but for its model: a tool of the workspace knows none yet. */
export type ToolCheckOptions = Omit<AgentCheckOptions, "models" | "resolveReferences">;

/** An agent of one tool, that may do whatever the tool does. */
export function soleAgent(definition: CompleteWorkspaceDefinition): Pick<Agent, "model" | "tools" | "policy"> {
  return { model: "scripted/turns", tools: [definition], policy: { network: true, approval: "never" } };
}

/** Checks tools of the workspace as those of an agent are checked. */
export function createToolCheck(optionsOf: (workspaceId: string) => Promise<ToolCheckOptions>): ToolCheck {
  return async (workspaceId, definition) => {
    const options = await optionsOf(workspaceId);
    const { errors } = await checkAgentTools(soleAgent(definition), { ...options, models: { check: () => [] } });
    // What it depends on is there or not in each agent that has it.
    return errors
      .map((error) => ({ ...error, path: error.path.replace(/^tools\[0\]/, "definition") }))
      .filter(({ path }) => !/\bdependsOn\b/.test(path));
  };
}

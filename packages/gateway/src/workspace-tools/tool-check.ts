import type { Agent, FieldError } from "@yagate/protocol";
import type { AgentCheck } from "@yagate/tool-definitions/agent-finding";
import { type AgentCheckOptions, checkAgentTools } from "../tools/checks/check-agent-tools.ts";
import { type CompleteWorkspaceDefinition, parseComplete } from "./complete-definition.ts";

/** Finds all errors and probable mistakes in a complete definition. Their paths begin with `definition`. */
export type ToolCheck = (workspaceId: string, definition: CompleteWorkspaceDefinition) => Promise<AgentCheck>;

/** Checks a definition that may be incomplete. Missing parts are errors. */
export async function checkDefinition(check: ToolCheck, workspaceId: string, definition: object): Promise<AgentCheck> {
  const parsed = parseComplete(definition);
  return "problems" in parsed ? { errors: parsed.problems, warnings: [] } : check(workspaceId, parsed.definition);
}

/** The options for an agent check, without those for the model and for references. */
export type ToolCheckOptions = Omit<AgentCheckOptions, "models" | "resolveReferences" | "before">;

type SoleAgent = Pick<
  Agent,
  "model" | "systemPrompt" | "tools" | "policy" | "integrations" | "credentials" | "webhookUrls"
>;

/** Returns an agent with only this tool and every permission that the tool needs. */
export function soleAgent(definition: CompleteWorkspaceDefinition): SoleAgent {
  const credential = "rest" in definition ? definition.rest.credential : undefined;
  return {
    ...{ model: "scripted/turns", systemPrompt: "", tools: [definition], policy: { network: true, approval: "never" } },
    ...{ integrations: [], credentials: credential === undefined ? [] : [credential], webhookUrls: [] },
  };
}

/** Creates a check that applies the rules for an agent's tools to a workspace tool. */
export function createToolCheck(optionsOf: (workspaceId: string) => Promise<ToolCheckOptions>): ToolCheck {
  return async (workspaceId, definition) => {
    const options = await optionsOf(workspaceId);
    const found = await checkAgentTools(soleAgent(definition), { ...options, models: { check: () => [] } });
    return { errors: ofDefinition(found.errors), warnings: ofDefinition(found.warnings) };
  };
}

function ofDefinition<Found extends FieldError>(findings: readonly Found[]): readonly Found[] {
  return (
    findings
      .map((finding) => ({ ...finding, path: finding.path.replace(/^tools\[0\]/, "definition") }))
      // Whether `dependsOn` is satisfied depends on the agent that uses the tool.
      .filter(({ path }) => path.startsWith("definition") && !/\bdependsOn\b/.test(path))
  );
}

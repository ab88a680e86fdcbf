import type { Agent, FieldError } from "@yagate/protocol";
import type { AgentCheck } from "@yagate/tool-definitions/agent-finding";
import { type AgentCheckOptions, checkAgentTools } from "../tools/checks/check-agent-tools.ts";
import { type CompleteWorkspaceDefinition, parseComplete } from "./complete-definition.ts";

/**
 * Finds what keeps a complete definition from being used, and what is probably not meant, all of it at once; paths begin
 * with `definition`.
 */
export type ToolCheck = (workspaceId: string, definition: CompleteWorkspaceDefinition) => Promise<AgentCheck>;

/** Checks a definition that may be incomplete: what is missing is an error too. */
export async function checkDefinition(check: ToolCheck, workspaceId: string, definition: object): Promise<AgentCheck> {
  const parsed = parseComplete(definition);
  return "problems" in parsed ? { errors: parsed.problems, warnings: [] } : check(workspaceId, parsed.definition);
}

/** What an agent is checked against, but for its model: a tool of the workspace knows none yet. */
export type ToolCheckOptions = Omit<AgentCheckOptions, "models" | "resolveReferences" | "before">;

type SoleAgent = Pick<
  Agent,
  "model" | "systemPrompt" | "tools" | "policy" | "integrations" | "credentials" | "webhookUrls"
>;

/** An agent of one tool, that may do whatever the tool does. */
export function soleAgent(definition: CompleteWorkspaceDefinition): SoleAgent {
  const credential = "rest" in definition ? definition.rest.credential : undefined;
  return {
    ...{ model: "scripted/turns", systemPrompt: "", tools: [definition], policy: { network: true, approval: "never" } },
    ...{ integrations: [], credentials: credential === undefined ? [] : [credential], webhookUrls: [] },
  };
}

/** Checks tools of the workspace as those of an agent are checked. */
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
      // What it depends on is there or not in each agent that has it.
      .filter(({ path }) => path.startsWith("definition") && !/\bdependsOn\b/.test(path))
  );
}

import { type Agent, canonicalJson, isComposedTool, type WarningCode } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/** What an agent names of its workspace. */
export type AgentReferences = Pick<Agent, "tools" | "integrations" | "credentials">;

/** What is found when somebody has deleted or changed what an agent names since it was saved. */
const REMOVED_REFERENCES: readonly WarningCode[] = [
  "UNKNOWN_INTEGRATION",
  "UNKNOWN_CREDENTIAL",
  "CREDENTIAL_WITHOUT_AUTH",
  "CREDENTIAL_HOST",
  "UNKNOWN_SECRET",
  "SECRET_HOST_MISMATCH",
];

/** What gateways before this one did not look for, so that agents have been saved with it. Such calls fail one by one. */
const NEWLY_CHECKED: readonly WarningCode[] = ["INVALID_ARG", "PARAMETER_TYPE_MISMATCH"];

/**
 * Makes warnings of errors that are none of a change's: what the agent named before, and the workspace has no longer, and
 * what was wrong with a tool before, and saved.
 *
 * @param agent - as it is to be saved.
 * @param before - the version before.
 */
export function demotePreexisting(
  findings: readonly AgentFinding[],
  agent: AgentReferences,
  before: AgentReferences,
): readonly AgentFinding[] {
  const toolsBefore = new Set(before.tools.map((tool) => canonicalJson(tool)));

  function isUnchanged(tool: AgentReferences["tools"][number] | undefined): boolean {
    return tool !== undefined && toolsBefore.has(canonicalJson(tool));
  }

  function wasThere(path: string): boolean {
    const [, field = "", position = ""] = /^(tools|integrations|credentials)\[(\d+)\]/.exec(path) ?? [];
    const index = Number(position);
    if (field === "tools") return isUnchanged(agent.tools[index]);
    if (field !== "integrations" && field !== "credentials") return false;
    const name = agent[field][index];
    return name !== undefined && before[field].includes(name);
  }

  /** A tool of the agent that a composed one hands on to can be what has changed. */
  function targetIsUnchanged(path: string): boolean {
    const tool = agent.tools[Number(/^tools\[(\d+)\]/.exec(path)?.[1])];
    if (tool === undefined || "tool" in tool || !isComposedTool(tool)) return true;
    const { primitive } = tool.implementation;
    const target = agent.tools.find((other) => "name" in other && other.name === primitive);
    return target === undefined || isUnchanged(target);
  }

  return findings.map((finding) => {
    const isFinding = (code: WarningCode) => code === finding.code;
    const { path } = finding;
    if (!wasThere(path)) return finding;
    const code =
      REMOVED_REFERENCES.find(isFinding) ?? (targetIsUnchanged(path) ? NEWLY_CHECKED.find(isFinding) : undefined);
    return code === undefined ? finding : { ...finding, severity: "warning", code };
  });
}

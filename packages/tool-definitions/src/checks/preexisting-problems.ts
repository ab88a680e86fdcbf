import { type Agent, canonicalJson, isComposedTool, type WarningCode } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/** What an agent refers to in its workspace. */
export type AgentReferences = Pick<Agent, "tools" | "integrations" | "credentials">;

/** Codes of errors that arise if something to which an agent refers is deleted or changed after the agent was saved. */
const REMOVED_REFERENCES: readonly WarningCode[] = [
  "UNKNOWN_INTEGRATION",
  "UNKNOWN_CREDENTIAL",
  "CREDENTIAL_WITHOUT_AUTH",
  "CREDENTIAL_HOST",
  "UNKNOWN_SECRET",
  "SECRET_HOST_MISMATCH",
];

/**
 * Codes of errors that earlier versions of the gateway did not find, so that saved agents may contain them. Calls to
 * the affected tools fail.
 */
const NEWLY_CHECKED: readonly WarningCode[] = ["INVALID_ARG", "PARAMETER_TYPE_MISMATCH"];

/**
 * Reduces errors to warnings if the change that is being saved did not cause them: references whose target has
 * disappeared since the agent was saved, and errors in unchanged tools that were saved before the check existed.
 *
 * @param agent - the agent to save.
 * @param before - its previous version.
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

  /**
   * Checks that the target of a composed tool is unchanged. If it has changed, that change may have caused the error.
   */
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

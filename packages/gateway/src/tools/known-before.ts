import { type Agent, canonicalJson, type WarningCode } from "@yagate/protocol";
import type { AgentFinding } from "./agent-finding.ts";

/** What an agent names of its workspace. */
export type NamingAgent = Pick<Agent, "tools" | "integrations" | "credentials">;

/** What is found when somebody has deleted or changed what an agent names since it was saved. */
const TAKEN_AWAY: readonly WarningCode[] = [
  "unknown_integration",
  "unknown_credential",
  "credential_without_auth",
  "credential_host",
  "UNKNOWN_SECRET",
  "SECRET_HOST_MISMATCH",
];

/**
 * Makes warnings of errors that are none of a change's: what the agent named before, and the workspace has no longer.
 *
 * @param agent - as it is to be saved.
 * @param before - the version before.
 */
export function withKnownAsWarnings(
  findings: readonly AgentFinding[],
  agent: NamingAgent,
  before: NamingAgent,
): readonly AgentFinding[] {
  const toolsBefore = new Set(before.tools.map((tool) => canonicalJson(tool)));

  function wasThere(path: string): boolean {
    const [, field = "", position = ""] = /^(tools|integrations|credentials)\[(\d+)\]/.exec(path) ?? [];
    const index = Number(position);
    if (field === "tools") {
      const tool = agent.tools[index];
      return tool !== undefined && toolsBefore.has(canonicalJson(tool));
    }
    if (field !== "integrations" && field !== "credentials") return false;
    const name = agent[field][index];
    return name !== undefined && before[field].includes(name);
  }

  return findings.map((finding) => {
    const code = TAKEN_AWAY.find((one) => one === finding.code);
    return code !== undefined && wasThere(finding.path) ? { ...finding, severity: "warning", code } : finding;
  });
}

import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import type { Toolset } from "../../tools/port.ts";
import { isArtifact } from "../machine/result-tokens.ts";
import type { ExecutionState } from "../machine/state.ts";

/** What a model turn is offered. It follows from the state, so whoever repeats the turn offers the same. */
export function toolsetFor(
  state: ExecutionState,
  toolset: Toolset,
): { readonly toolset: Toolset; readonly canReadArtifacts: boolean } {
  const hasArtifacts = state.turns.some(({ calls }) => calls.some(isArtifact));
  if (!hasArtifacts) return { toolset, canReadArtifacts: false };
  const tool = toolset.withArtifacts.tools.get(READ_ARTIFACT);
  // An agent's own tool of that name knows nothing of artifacts.
  const canReadArtifacts = tool?.kind === "data" && tool.policyDecision.decision !== "denied";
  return { toolset: toolset.withArtifacts, canReadArtifacts };
}

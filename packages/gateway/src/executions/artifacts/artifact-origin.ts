import type { CallState, ExecutionState } from "@yagate/execution-machine/state";
import { artifactArgument, readsArtifacts } from "@yagate/lib/artifacts/artifact-argument";
import { toolCallIdOf } from "@yagate/lib/artifacts/artifact-id";

/** Returns the call whose result is read in parts or summarised by this call; undefined if this call does neither. */
export function originOfPiece(
  { kind, name, parameters }: Pick<CallState, "kind" | "name" | "parameters">,
  state: Pick<ExecutionState, "turns">,
): CallState | undefined {
  if (kind === null || !readsArtifacts({ kind, name })) return undefined;
  return originOfArtifact(artifactArgument(parameters), state);
}

/** Returns the call whose result is stored as this artifact; undefined if there is no such call. */
export function originOfArtifact(
  artifactId: string | undefined,
  { turns }: Pick<ExecutionState, "turns">,
): CallState | undefined {
  const origin = artifactId === undefined ? undefined : toolCallIdOf(artifactId);
  return origin === undefined ? undefined : turns.flatMap(({ calls }) => calls).find(({ id }) => id === origin);
}

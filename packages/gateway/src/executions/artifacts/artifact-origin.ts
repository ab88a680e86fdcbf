import { artifactArgument, readsArtifacts } from "@yagate/lib/artifacts/artifact-argument";
import { toolCallIdOf } from "@yagate/lib/artifacts/artifact-id";
import type { CallState, ExecutionState } from "../machine/state.ts";

/** The call whose result a call reads in parts, or summarises; undefined for every other call. */
export function originOfPiece(
  { kind, name, parameters }: Pick<CallState, "kind" | "name" | "parameters">,
  state: Pick<ExecutionState, "turns">,
): CallState | undefined {
  if (kind === null || !readsArtifacts({ kind, name })) return undefined;
  return originOfArtifact(artifactArgument(parameters), state);
}

/** The call whose result an artifact is; undefined if there is none. */
export function originOfArtifact(
  artifactId: string | undefined,
  { turns }: Pick<ExecutionState, "turns">,
): CallState | undefined {
  const origin = artifactId === undefined ? undefined : toolCallIdOf(artifactId);
  return origin === undefined ? undefined : turns.flatMap(({ calls }) => calls).find(({ id }) => id === origin);
}

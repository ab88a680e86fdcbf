import { toolCallIdOf } from "../artifacts/artifact-id.ts";
import { READ_ARTIFACT } from "../artifacts/read-artifact-name.ts";
import type { CallState, ExecutionState } from "./machine/state.ts";

/** The call whose result a call reads a piece of; undefined for every other call. */
export function originOfPiece(
  { kind, name, parameters }: Pick<CallState, "kind" | "name" | "parameters">,
  { turns }: Pick<ExecutionState, "turns">,
): CallState | undefined {
  if (kind !== "data" || name !== READ_ARTIFACT) return undefined;
  const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
  const artifactId = isObject ? parameters["artifactId"] : undefined;
  const origin = typeof artifactId === "string" ? toolCallIdOf(artifactId) : undefined;
  return turns.flatMap(({ calls }) => calls).find(({ id }) => id === origin);
}

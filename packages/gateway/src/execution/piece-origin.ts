import type { ToolKind } from "@yagate/protocol";
import { toolCallIdOf } from "../artifacts/artifact-id.ts";
import { READ_ARTIFACT } from "../artifacts/read-artifact-name.ts";
import type { CallState, ExecutionState } from "./machine/state.ts";

/** Built-in tools that tell what an artifact says, by their kinds: an agent's own tools may have their names. */
const READERS: ReadonlyMap<string, ToolKind> = new Map([
  [READ_ARTIFACT, "data"],
  ["text_summarizer", "compute"],
]);

/** The call whose result a call reads a piece of, or summarises; undefined for every other call. */
export function originOfPiece(
  { kind, name, parameters }: Pick<CallState, "kind" | "name" | "parameters">,
  { turns }: Pick<ExecutionState, "turns">,
): CallState | undefined {
  if (kind === null || READERS.get(name) !== kind) return undefined;
  const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
  const artifactId = isObject ? parameters["artifactId"] : undefined;
  const origin = typeof artifactId === "string" ? toolCallIdOf(artifactId) : undefined;
  return turns.flatMap(({ calls }) => calls).find(({ id }) => id === origin);
}

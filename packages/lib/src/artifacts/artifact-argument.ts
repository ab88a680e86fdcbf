import type { JsonValue, ToolKind } from "@yagate/protocol";
import { isJsonObject } from "../json/json-object.ts";
import { READ_ARTIFACT } from "./read-artifact-name.ts";

/**
 * The kinds of the built-in tools that return the content of an artifact, by tool name. The kind is checked as well,
 * because a tool of the agent may have the same name.
 */
const READERS: ReadonlyMap<string, ToolKind> = new Map([
  [READ_ARTIFACT, "data"],
  ["text_summarizer", "compute"],
]);

/** Checks whether calls to a tool may read an artifact. */
export function readsArtifacts({ kind, name }: { readonly kind: ToolKind; readonly name: string }): boolean {
  return READERS.get(name) === kind;
}

/** Returns the id of the artifact in the arguments of a tool that reads artifacts. */
export function artifactArgument(parameters: JsonValue): string | undefined {
  const isObject = isJsonObject(parameters);
  const artifactId = isObject ? parameters["artifactId"] : undefined;
  return typeof artifactId === "string" ? artifactId : undefined;
}

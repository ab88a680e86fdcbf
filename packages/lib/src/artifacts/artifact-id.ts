import { ID_PREFIXES } from "@yagate/protocol";

/** Returns the id of the artifact for a tool call's result: the id of the call, with another prefix. */
export function artifactIdOf(toolCallId: string): string {
  return replacePrefix(toolCallId, ID_PREFIXES.toolCall, ID_PREFIXES.artifact) ?? toolCallId;
}

/** Returns the id of the tool call whose result an artifact contains; undefined if the id is invalid. */
export function toolCallIdOf(artifactId: string): string | undefined {
  return replacePrefix(artifactId, ID_PREFIXES.artifact, ID_PREFIXES.toolCall);
}

function replacePrefix(id: string, from: string, to: string): string | undefined {
  return id.startsWith(`${from}_`) ? `${to}${id.slice(from.length)}` : undefined;
}

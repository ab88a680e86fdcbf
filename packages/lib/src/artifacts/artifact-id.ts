import { ID_PREFIXES } from "@yagate/protocol";

/** The id that the result of a tool call gets as an artifact: the call's own with another prefix. */
export function artifactIdOf(toolCallId: string): string {
  return replacePrefix(toolCallId, ID_PREFIXES.toolCall, ID_PREFIXES.artifact) ?? toolCallId;
}

/** The call whose result an artifact is; undefined for an invalid id. */
export function toolCallIdOf(artifactId: string): string | undefined {
  return replacePrefix(artifactId, ID_PREFIXES.artifact, ID_PREFIXES.toolCall);
}

function replacePrefix(id: string, from: string, to: string): string | undefined {
  return id.startsWith(`${from}_`) ? `${to}${id.slice(from.length)}` : undefined;
}

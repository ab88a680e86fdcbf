import {
  type CompleteToolDefinition,
  type IntentReference,
  isIntentReference,
  isToolReference,
  isToolSourceReference,
  type ToolDefinition,
  type ToolSourceReference,
  YagateError,
} from "@yagate/protocol";

/** An entry of an agent's tools that stands for exactly one tool. */
export type SingleToolDefinition = Exclude<ToolDefinition, ToolSourceReference | IntentReference>;

/** Replaces each reference with the tool that it refers to, in the same order. */
export type ResolveReferences = (tools: readonly SingleToolDefinition[]) => Promise<readonly CompleteToolDefinition[]>;

/** Rejects every reference, for gateways without workspace tools, where no reference can exist. */
export const withoutReferences: ResolveReferences = async (tools) =>
  tools.map((tool) => {
    if (isToolReference(tool)) throw new YagateError("INTERNAL", "expected no reference to a workspace tool");
    return tool;
  });

/** Returns the entries that stand for exactly one tool: all except references to tool sources and intents. */
export function singleTools(tools: readonly ToolDefinition[]): readonly SingleToolDefinition[] {
  return tools.filter((tool): tool is SingleToolDefinition => !isToolSourceReference(tool) && !isIntentReference(tool));
}

import { type CompleteToolDefinition, isToolReference, type ToolDefinition, YagateError } from "@yagate/protocol";

/** Replaces each reference with the tool that it refers to, in the same order. */
export type ResolveReferences = (tools: readonly ToolDefinition[]) => Promise<readonly CompleteToolDefinition[]>;

/** Rejects every reference, for gateways without workspace tools, where no reference can exist. */
export const withoutReferences: ResolveReferences = async (tools) =>
  tools.map((tool) => {
    if (isToolReference(tool)) throw new YagateError("INTERNAL", "expected no reference to a workspace tool");
    return tool;
  });

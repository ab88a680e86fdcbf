import { type CompleteToolDefinition, isToolReference, type ToolDefinition, YagateError } from "@yagate/protocol";

/** Puts in the place of each reference what it refers to; the order stays. */
export type ResolveReferences = (tools: readonly ToolDefinition[]) => Promise<readonly CompleteToolDefinition[]>;

/** Where no tools of the workspace are kept, there are none to refer to. */
export const withoutReferences: ResolveReferences = async (tools) =>
  tools.map((tool) => {
    if (isToolReference(tool)) throw new YagateError("INTERNAL", "expected no reference to a tool of the workspace");
    return tool;
  });

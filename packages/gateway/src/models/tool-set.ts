import { jsonSchema, type ToolSet } from "ai";
import type { ModelTool } from "./port.ts";
import { toProviderToolName } from "./tool-names.ts";

/** An agent's tools as the AI SDK takes them. */
export interface ProviderTools {
  readonly sdkTools: ToolSet;
  /** Our name of a tool that a model called; a name that no tool has is given back as it is. */
  ownName(providerName: string): string;
}

const converted = new WeakMap<readonly ModelTool[], ProviderTools>();

/**
 * Converts tools once for each array. None has `execute`, so that the SDK never runs one, and none validates, because
 * the gateway does that on the original schema.
 */
export function toProviderTools(tools: readonly ModelTool[]): ProviderTools {
  const known = converted.get(tools);
  if (known !== undefined) return known;
  const ownNames = new Map(tools.map((tool) => [toProviderToolName(tool.name), tool.name]));
  const providerTools: ProviderTools = {
    sdkTools: Object.fromEntries(
      tools.map((tool) => [
        toProviderToolName(tool.name),
        { description: tool.description, inputSchema: jsonSchema(tool.parameters) },
      ]),
    ),
    ownName: (providerName) => ownNames.get(providerName) ?? providerName,
  };
  converted.set(tools, providerTools);
  return providerTools;
}

import type { JsonObject } from "@yagate/protocol";
import { jsonSchema, type ToolSet } from "ai";
import { toSdkHostedTool } from "./hosted/sdk-hosted-tool.ts";
import { type HostedTool, type ModelTool, ModelTurnError } from "./port.ts";
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
        { description: tool.description, inputSchema: jsonSchema(withProperties(tool.parameters)) },
      ]),
    ),
    ownName: (providerName) => ownNames.get(providerName) ?? providerName,
  };
  converted.set(tools, providerTools);
  return providerTools;
}

/** OpenAI refuses an object without properties, which a tool without parameters is: it means the same with none. */
function withProperties(parameters: JsonObject): JsonObject {
  return parameters["properties"] === undefined ? { ...parameters, properties: {} } : parameters;
}

/**
 * Adds the tools that the provider runs itself, in its own form.
 *
 * @param place - the provider's name, and what the AI SDK calls the API of it that is spoken.
 * @throws ModelTurnError `MODEL_ERROR` where it has no such tool.
 */
export function withHostedTools(
  { sdkTools, ownName }: ProviderTools,
  hostedTools: readonly HostedTool[],
  { provider, api }: { readonly provider: string; readonly api: string },
): ProviderTools {
  if (hostedTools.length === 0) return { sdkTools, ownName };
  const hosted = hostedTools.map((tool): [string, ToolSet[string]] => {
    const sdkTool = toSdkHostedTool(tool, provider, api);
    if (sdkTool !== undefined) return [toProviderToolName(tool.name), sdkTool];
    throw new ModelTurnError("MODEL_ERROR", `${tool.name} is to be run by ${provider}, which has no such tool here`);
  });
  const search = hostedTools.find((tool) => tool.hosted === "web_search");
  return {
    sdkTools: { ...sdkTools, ...Object.fromEntries(hosted) },
    // Gemini calls its search by a name of its own.
    ownName: (name) => (search !== undefined && /^server:GOOGLE_SEARCH/.test(name) ? search.name : ownName(name)),
  };
}

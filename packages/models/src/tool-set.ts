import type { JsonObject } from "@yagate/protocol";
import { jsonSchema, type ToolSet } from "ai";
import { toSdkHostedTool } from "./hosted/sdk-hosted-tool.ts";
import { type HostedTool, type ModelTool, ModelTurnError } from "./port.ts";
import { toProviderToolName } from "./tool-names.ts";

/** An agent's tools in the AI SDK's form. */
export interface ProviderTools {
  readonly sdkTools: ToolSet;
  /** Returns the agent's name for a tool that a model called. An unknown name is returned unchanged. */
  ownName(providerName: string): string;
}

const converted = new WeakMap<readonly ModelTool[], ProviderTools>();

/**
 * Converts tools to the AI SDK's form, each array once. No tool has `execute`, so the SDK never runs one. None
 * validates its arguments, because the gateway validates them against the original schema.
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

/**
 * Adds empty `properties` to an object schema without them, such as that of a tool without parameters. OpenAI requires
 * the field; the meaning stays the same.
 */
function withProperties(parameters: JsonObject): JsonObject {
  return parameters["properties"] === undefined ? { ...parameters, properties: {} } : parameters;
}

/**
 * Adds provider-run tools in the provider's form.
 *
 * @param place - the provider's name, and the AI SDK's name for the API in use.
 * @throws ModelTurnError `MODEL_ERROR` if the provider does not have a tool.
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
    throw new ModelTurnError("MODEL_ERROR", `${tool.name} must be run by ${provider}, which does not have this tool`);
  });
  const search = hostedTools.find((tool) => tool.hosted === "web_search");
  return {
    sdkTools: { ...sdkTools, ...Object.fromEntries(hosted) },
    // Gemini has its own name for its search.
    ownName: (name) => (search !== undefined && /^server:GOOGLE_SEARCH/.test(name) ? search.name : ownName(name)),
  };
}

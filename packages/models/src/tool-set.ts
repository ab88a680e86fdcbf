import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "@yagate/protocol";
import { toProviderHostedTool } from "./hosted/provider-hosted-tool.ts";
import { type HostedTool, type ModelTool, ModelTurnError, type ModelTurnRequest } from "./port.ts";
import { type NativeSearch, toNativeSearch } from "./search/native-search.ts";
import type { SearchForm } from "./search/search-form.ts";
import { toProviderToolName } from "./tool-names.ts";

/** An agent's tools in the provider's form. */
export interface ProviderTools {
  readonly definitions: NonNullable<LanguageModelV4CallOptions["tools"]>;
  /** The provider's names for the tools. */
  readonly names: ReadonlySet<string>;
  /** The names of provider-run tools whose result may arrive in a later turn. */
  readonly deferred: ReadonlySet<string>;
  /** The tool search in the provider's form; absent if the model takes it as a function. */
  readonly search?: NativeSearch;
  /** Returns the agent's name for a tool that a model called. An unknown name is returned unchanged. */
  ownName(providerName: string): string;
  /** Returns the agent's name for a tool that the provider ran; absent if no such tools were sent. */
  readonly hostedName?: (providerName: string) => string;
}

const converted = new WeakMap<readonly ModelTool[], ProviderTools>();
const NONE: ReadonlySet<string> = new Set();

/** Converts each array of tools once. */
export function toProviderTools(tools: readonly ModelTool[]): ProviderTools {
  const known = converted.get(tools);
  if (known !== undefined) return known;
  const ownNames = new Map(tools.map((tool) => [toProviderToolName(tool.name), tool.name]));
  const providerTools: ProviderTools = {
    definitions: tools.map(({ name, description, parameters }) => ({
      type: "function",
      name: toProviderToolName(name),
      description,
      inputSchema: withProperties(parameters),
    })),
    names: new Set(ownNames.keys()),
    deferred: NONE,
    ownName: (providerName) => ownNames.get(providerName) ?? providerName,
  };
  converted.set(tools, providerTools);
  return providerTools;
}

/**
 * Adds empty `properties` to an object schema without this field, such as the schema of a tool without parameters.
 * OpenAI requires the field; the meaning stays the same.
 */
function withProperties(parameters: JsonObject): JsonObject {
  return parameters["properties"] === undefined ? { ...parameters, properties: {} } : parameters;
}

/**
 * Replaces the tool search and the tools that it found by the provider's form of them.
 *
 * @param form - undefined for a model that takes only functions.
 */
export function withNativeSearch(
  converted: ProviderTools,
  { tools, searchTool, messages }: Pick<ModelTurnRequest, "tools" | "searchTool" | "messages">,
  form: SearchForm | undefined,
): ProviderTools {
  if (searchTool === undefined || form === undefined) return converted;
  const search = toNativeSearch(form, { searchTool, messages, tools, definitions: converted.definitions });
  return { ...converted, definitions: [...search.definitions], search };
}

/**
 * Adds provider-run tools in the provider's form.
 *
 * @param place - the provider's name, and the AI SDK's name for the API in use.
 * @throws ModelTurnError `MODEL_ERROR` if the provider does not have one of the tools.
 */
export function withHostedTools(
  tools: ProviderTools,
  hostedTools: readonly HostedTool[],
  { provider, api }: { readonly provider: string; readonly api: string },
): ProviderTools {
  if (hostedTools.length === 0) return tools;
  const hosted = hostedTools.map((tool) => {
    const converted = toProviderHostedTool(tool, provider, api);
    if (converted !== undefined) return { ...converted, own: tool.name };
    throw new ModelTurnError("MODEL_ERROR", `${tool.name} must run at ${provider}, which does not offer this tool`);
  });
  const ownNames = new Map(hosted.map(({ definition, own }) => [definition.name, own]));
  const ownNameOf = (kind: HostedTool["hosted"]) => hostedTools.find((tool) => tool.hosted === kind)?.name;
  // Gemini has names of its own for its search and for its reader of pages.
  const ofGemini = (name: string) => {
    if (name.startsWith("server:GOOGLE_SEARCH")) return ownNameOf("web_search");
    return name.startsWith("server:URL_CONTEXT") ? ownNameOf("url_fetch") : undefined;
  };
  return {
    ...tools,
    definitions: [...tools.definitions, ...hosted.map(({ definition }) => definition)],
    names: new Set([...tools.names, ...hosted.map(({ definition }) => definition.name)]),
    deferred: new Set(hosted.flatMap(({ definition, isDeferred }) => (isDeferred ? [definition.name] : []))),
    // A tool of the agent may have the provider's name for one of its own.
    hostedName: (name) => ofGemini(name) ?? ownNames.get(name) ?? tools.ownName(name),
  };
}

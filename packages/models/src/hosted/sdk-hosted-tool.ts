import { jsonSchema, type ToolSet } from "ai";
import type { HostedTool } from "../port.ts";

/**
 * Converts a provider-run tool to its provider's form; `undefined` if the provider, or the API in use, does not have
 * the tool. Anthropic gets the search version of March 2025, because later ones require code execution, which older
 * models lack.
 *
 * @param api - the AI SDK's name for the model's provider, such as `openai.responses`.
 */
export function toSdkHostedTool(tool: HostedTool, provider: string, api: string): ToolSet[string] | undefined {
  const { maxUses, allowedDomains, blockedDomains } = tool;
  switch (provider) {
    case "openai": {
      const filters = given({ allowedDomains, blockedDomains });
      const args = Object.keys(filters).length === 0 ? {} : { filters };
      return api.endsWith(".responses") ? hosted("openai.web_search", args) : undefined;
    }
    case "anthropic":
      return {
        ...hosted("anthropic.web_search_20250305", given({ maxUses, allowedDomains, blockedDomains })),
        // A search that started before one of the gateway's calls may end after it.
        supportsDeferredResults: true,
      };
    case "google":
      return hosted("google.google_search", {});
    case "xai": {
      const args = given({ allowedDomains, excludedDomains: blockedDomains });
      return api.endsWith(".responses") ? hosted("xai.web_search", args) : undefined;
    }
    case "mistral":
      return hosted("mistral.web_search", {});
    default:
      return undefined;
  }
}

// The inputs of provider-run tools are not validated: the provider has already used them.
const anything = jsonSchema({});

function hosted(id: `${string}.${string}`, args: Record<string, unknown>) {
  return {
    type: "provider",
    isProviderExecuted: true,
    id,
    args,
    inputSchema: anything,
    outputSchema: anything,
  } as const;
}

function given(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

import type { LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import type { HostedTool } from "../port.ts";
import { toProviderToolName } from "../tool-names.ts";

/** OpenAI's name for the tool that runs code. */
export const CODE_INTERPRETER = "code_interpreter";
/** The name of Anthropic and Google for it. The AI SDK recognises Google's calls only by this name. */
const CODE_EXECUTION = "code_execution";
/** Google's name for the tool that reads pages. */
export const GEMINI_PAGES = "url_context";

/** A provider-run tool in the provider's form. */
export interface ProviderHostedTool {
  readonly definition: LanguageModelV4ProviderTool;
  /** Whether its result may arrive in a later turn than its call. */
  readonly isDeferred: boolean;
}

/**
 * Converts a provider-run tool to its provider's form; `undefined` if the provider, or the API in use, does not have
 * the tool. For Anthropic, uses the versions of 2025, because later ones require code execution, which older models
 * lack.
 *
 * @param api - the AI SDK's name for the model's provider, such as `openai.responses`.
 */
export function toProviderHostedTool(tool: HostedTool, provider: string, api: string): ProviderHostedTool | undefined {
  switch (tool.hosted) {
    case "url_fetch":
      return toPageReader(tool, provider);
    case "code_exec":
      return toCodeRunner(provider, api);
    case "web_search":
      return toSearch(tool, provider, api);
  }
}

function toPageReader(
  { name, maxUses, allowedDomains, blockedDomains }: HostedTool,
  provider: string,
): ProviderHostedTool | undefined {
  // Gemini reads the pages whose URLs are in the conversation.
  if (provider === "google") return hosted("google.url_context", GEMINI_PAGES, {});
  if (provider !== "anthropic") return undefined;
  const args = given({ maxUses, allowedDomains, blockedDomains });
  return { ...hosted("anthropic.web_fetch_20250910", toProviderToolName(name), args), isDeferred: true };
}

function toCodeRunner(provider: string, api: string): ProviderHostedTool | undefined {
  switch (provider) {
    case "openai":
      return api.endsWith(".responses") ? hosted("openai.code_interpreter", CODE_INTERPRETER, {}) : undefined;
    case "anthropic":
      return { ...hosted("anthropic.code_execution_20250825", CODE_EXECUTION, {}), isDeferred: true };
    case "google":
      return hosted("google.code_execution", CODE_EXECUTION, {});
    default:
      return undefined;
  }
}

function toSearch(tool: HostedTool, provider: string, api: string): ProviderHostedTool | undefined {
  const { maxUses, allowedDomains, blockedDomains } = tool;
  const name = toProviderToolName(tool.name);
  switch (provider) {
    case "openai": {
      const filters = given({ allowedDomains, blockedDomains });
      const args = Object.keys(filters).length === 0 ? {} : { filters };
      return api.endsWith(".responses") ? hosted("openai.web_search", name, args) : undefined;
    }
    case "anthropic":
      return {
        ...hosted("anthropic.web_search_20250305", name, given({ maxUses, allowedDomains, blockedDomains })),
        // A search that started before one of the agent's own calls may end after it.
        isDeferred: true,
      };
    case "google":
      return hosted("google.google_search", name, {});
    case "xai": {
      const args = given({ allowedDomains, excludedDomains: blockedDomains });
      return api.endsWith(".responses") ? hosted("xai.web_search", name, args) : undefined;
    }
    case "mistral":
      return hosted("mistral.web_search", name, {});
    default:
      return undefined;
  }
}

function hosted(id: `${string}.${string}`, name: string, args: Record<string, unknown>): ProviderHostedTool {
  return { definition: { type: "provider", id, name, args }, isDeferred: false };
}

function given(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

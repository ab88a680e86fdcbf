import type { CapabilityEntry } from "./capability-entry.ts";

/** The date on which the gateway's table was last compared with the documentation of the providers. */
export const GATEWAY_CAPABILITIES_AS_OF = "2026-11-29";

const DEFAULTS = {
  args: null,
  result: null,
  providers: [],
  modelPatterns: [],
  priority: 50,
  costClass: "low",
  riskClass: "external_read",
  supportsCitations: true,
  requiredScopes: [],
  regions: [],
  dataClasses: [],
  approval: null,
  enabled: true,
} as const;

function hostedSearch(provider: string, modelPatterns: readonly string[]): CapabilityEntry {
  return {
    ...DEFAULTS,
    ...{ key: `${provider}.web_search`, intent: "web.search", mode: "provider_hosted" },
    ...{ target: { hosted: "web_search" }, providers: [provider], modelPatterns },
    ...{ priority: 60, costClass: "medium" },
  };
}

function hostedFetch(provider: string, modelPatterns: readonly string[]): CapabilityEntry {
  return {
    ...DEFAULTS,
    ...{ key: `${provider}.url_fetch`, intent: "url.fetch", mode: "provider_hosted" },
    ...{ target: { hosted: "url_fetch" }, providers: [provider], modelPatterns, priority: 60 },
  };
}

function hostedCode(provider: string, modelPatterns: readonly string[]): CapabilityEntry {
  return {
    ...DEFAULTS,
    ...{ key: `${provider}.code_exec`, intent: "code.exec", mode: "provider_hosted" },
    ...{ target: { hosted: "code_exec" }, providers: [provider], modelPatterns, priority: 60 },
    ...{ costClass: "medium", supportsCitations: false },
  };
}

/**
 * The capabilities of every gateway: what model providers run themselves, and the gateway's own built-in tools. Whether a
 * model of a listed provider really has the tool is checked again when the agent is loaded.
 */
export const GATEWAY_CAPABILITIES: readonly CapabilityEntry[] = [
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool
  hostedCode("anthropic", ["claude-*"]),
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool
  hostedFetch("anthropic", ["claude-*"]),
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
  hostedSearch("anthropic", ["claude-*"]),
  // https://ai.google.dev/gemini-api/docs/code-execution
  hostedCode("google", ["gemini-*"]),
  // https://ai.google.dev/gemini-api/docs/url-context
  hostedFetch("google", ["gemini-*"]),
  // https://ai.google.dev/gemini-api/docs/google-search
  hostedSearch("google", ["gemini-*"]),
  // https://docs.mistral.ai/agents/connectors/websearch
  hostedSearch("mistral", []),
  // https://developers.openai.com/api/docs/guides/tools-code-interpreter
  hostedCode("openai", []),
  // https://developers.openai.com/api/docs/guides/tools-web-search
  hostedSearch("openai", []),
  // https://docs.x.ai/developers/tools/overview
  hostedSearch("xai", ["grok-*"]),
  {
    ...DEFAULTS,
    ...{ key: "runtime.url_fetch", intent: "url.fetch", mode: "runtime_function", target: { builtin: "url_fetch" } },
    args: { url: "${url}" },
  },
  {
    ...DEFAULTS,
    ...{ key: "runtime.web_search", intent: "web.search", mode: "runtime_function", target: { builtin: "web_search" } },
    args: { query: "${query}", maxResults: "${maxResults}" },
  },
];

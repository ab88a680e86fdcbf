import { isKnownProvider, type ProviderName } from "./provider-names.ts";

interface ProviderUrl {
  readonly origin: string;
  /** Where its API begins. */
  readonly versionPath: string;
}

// Always given to the AI SDK, because it reads the environment where it gets no base URL.
const PROVIDER_URLS: Readonly<Record<ProviderName, ProviderUrl>> = {
  openai: { origin: "https://api.openai.com", versionPath: "/v1" },
  anthropic: { origin: "https://api.anthropic.com", versionPath: "/v1" },
  google: { origin: "https://generativelanguage.googleapis.com", versionPath: "/v1beta" },
  mistral: { origin: "https://api.mistral.ai", versionPath: "/v1" },
  xai: { origin: "https://api.x.ai", versionPath: "/v1" },
  deepseek: { origin: "https://api.deepseek.com", versionPath: "" },
  alibaba: { origin: "https://dashscope-intl.aliyuncs.com", versionPath: "/compatible-mode/v1" },
  zai: { origin: "https://api.z.ai", versionPath: "/api/paas/v4" },
};

/**
 * Where a provider's requests go: the given base URL or the provider's own. A URL without a path gets the version path,
 * since the providers' own SDKs differ in whether they expect it.
 */
export function toBaseUrl(name: string, baseUrl: string | undefined): string {
  const known = isKnownProvider(name) ? PROVIDER_URLS[name] : undefined;
  const url = new URL(baseUrl ?? known?.origin ?? "");
  const path = url.pathname === "/" ? (known?.versionPath ?? "/v1") : url.pathname.replace(/\/+$/, "");
  return url.origin + path;
}

/**
 * OpenAI itself, in any region, is spoken to in its Responses API, which carries reasoning from turn to turn. Behind
 * any other base URL stands a server that is compatible with it, and what those have in common is chat completions.
 */
export function isOpenAiOwn(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".api.openai.com");
}

/** Servers that refuse a conversation which repeats the model's reasoning. */
export function refusesReasoning(baseUrl: string): boolean {
  return ["api.groq.com", "api.cerebras.ai"].includes(new URL(baseUrl).hostname);
}

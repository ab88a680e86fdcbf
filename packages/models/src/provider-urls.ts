import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { isKnownProvider, type ProviderName } from "./provider-names.ts";

interface ProviderUrl {
  readonly origin: string;
  /** Where its API begins. */
  readonly versionPath: string;
  /**
   * All that are the provider's own, those of its regions and plans too: a key without hosts of its own goes to these.
   * `*.` stands only where nobody but the provider can have a name below.
   */
  readonly hosts: readonly string[];
}

// Always given to the AI SDK, because it reads the environment where it gets no base URL.
const PROVIDER_URLS: Readonly<Record<ProviderName, ProviderUrl>> = {
  openai: { origin: "https://api.openai.com", versionPath: "/v1", hosts: ["api.openai.com", "*.api.openai.com"] },
  anthropic: { origin: "https://api.anthropic.com", versionPath: "/v1", hosts: ["api.anthropic.com"] },
  google: {
    origin: "https://generativelanguage.googleapis.com",
    versionPath: "/v1beta",
    hosts: ["generativelanguage.googleapis.com"],
  },
  mistral: {
    origin: "https://api.mistral.ai",
    versionPath: "/v1",
    hosts: ["api.mistral.ai", "codestral.mistral.ai"],
  },
  xai: { origin: "https://api.x.ai", versionPath: "/v1", hosts: ["api.x.ai", "*.api.x.ai"] },
  deepseek: { origin: "https://api.deepseek.com", versionPath: "", hosts: ["api.deepseek.com"] },
  alibaba: {
    origin: "https://dashscope-intl.aliyuncs.com",
    versionPath: "/compatible-mode/v1",
    hosts: [
      "dashscope-intl.aliyuncs.com",
      "dashscope.aliyuncs.com",
      "dashscope-us.aliyuncs.com",
      "cn-hongkong.dashscope.aliyuncs.com",
    ],
  },
  zai: { origin: "https://api.z.ai", versionPath: "/api/paas/v4", hosts: ["api.z.ai", "open.bigmodel.cn"] },
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
  return isProvidersOwn("openai", baseUrl);
}

/** Whether a URL leads to one of the provider's own hosts, whichever its port and path. */
export function isProvidersOwn(name: string, url: string): boolean {
  return isKnownProvider(name) && hostIsBound(new URL(url).hostname, PROVIDER_URLS[name].hosts);
}

/** Servers that refuse a conversation which repeats the model's reasoning. */
export function refusesReasoning(baseUrl: string): boolean {
  return ["api.groq.com", "api.cerebras.ai"].includes(new URL(baseUrl).hostname);
}

import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { isKnownProvider, type ProviderName } from "./provider-names.ts";

interface ProviderUrl {
  readonly origin: string;
  /** The path of the API's version, such as `/v1`. */
  readonly versionPath: string;
  /**
   * All hosts of the provider, including those for its regions and plans. A key without hosts is sent only to these.
   * `*.` is used only if the provider controls all names under the domain.
   */
  readonly hosts: readonly string[];
}

// The URL is always passed to the AI SDK, which would otherwise read it from the environment.
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
 * Returns the base URL for a provider's requests: the configured URL, or the provider's own. If the URL has no path,
 * the version path is appended, because the providers' SDKs differ in whether they expect that path.
 */
export function toBaseUrl(name: string, baseUrl: string | undefined): string {
  const known = isKnownProvider(name) ? PROVIDER_URLS[name] : undefined;
  const url = new URL(baseUrl ?? known?.origin ?? "");
  const path = url.pathname === "/" ? (known?.versionPath ?? "/v1") : url.pathname.replace(/\/+$/, "");
  return url.origin + path;
}

/**
 * Checks whether a base URL belongs to OpenAI itself, in any region. OpenAI itself is called through its Responses API,
 * which preserves reasoning from turn to turn. For any other base URL, chat completions are used, because all
 * compatible servers support them.
 */
export function isOpenAiOwn(baseUrl: string): boolean {
  return isProvidersOwn("openai", baseUrl);
}

/** Checks whether a URL has one of the provider's own hosts, with any port and path. */
export function isProvidersOwn(name: string, url: string): boolean {
  return isKnownProvider(name) && hostIsBound(new URL(url).hostname, PROVIDER_URLS[name].hosts);
}

/** Checks whether the server rejects conversations that contain the model's reasoning. */
export function refusesReasoning(baseUrl: string): boolean {
  return ["api.groq.com", "api.cerebras.ai"].includes(new URL(baseUrl).hostname);
}

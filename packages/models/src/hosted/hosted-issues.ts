import type { HostedTool, ModelIssue } from "../port.ts";
import { takesGoogleSearch, takesMixedTools } from "../preflight/gemini-versions.ts";
import type { PreflightTarget } from "../preflight/preflight-target.ts";

/**
 * Finds problems with a provider-run tool: the provider or the model lacks the tool, an option is not supported, or the
 * provider would drop the agent's other tools.
 *
 * @param path - the location of the tool, such as `tools[0]`.
 * @param hasOtherTools - whether the agent has tools that the provider does not run.
 */
export function hostedIssues(
  tool: HostedTool,
  path: string,
  target: PreflightTarget,
  hasOtherTools: boolean,
): readonly ModelIssue[] {
  const missing = tool.hosted === "url_fetch" ? whyNoFetch(target) : whyMissing(target);
  if (missing !== undefined) {
    const what = tool.hosted === "url_fetch" ? "reader of pages" : "web search";
    const message = `expected a model with its own ${what}: ${missing}; use such a model, or remove providerHosted`;
    return [issue(`${path}.config.providerHosted`, "HOSTED_TOOL_UNSUPPORTED", message)];
  }
  const issues = [...optionIssues(tool, path, target)];
  if (hasOtherTools && target.provider === "google" && !takesMixedTools(target.model)) {
    const message =
      "a model before Gemini 3 accepts either Google's search or the agent's tools, and would receive only the search; " +
      "use a Gemini 3 model, or remove the search or the other tools";
    issues.push(issue(`${path}.config.providerHosted`, "HOSTED_TOOL_CONFLICT", message));
  }
  return issues;
}

/** Models that have no web search, according to the providers' documentation. */
const SEARCHLESS: Readonly<Record<string, RegExp>> = {
  // https://developers.openai.com/api/docs/guides/tools-web-search and the pages of the models
  openai: /^(?:gpt-3\.5|gpt-4(?:-turbo)?(?:-\d.*|-preview)?$|gpt-4\.1-nano|o1|o3-mini)/,
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
  anthropic: /^claude-(?:instant|2|3-(?:opus|sonnet|haiku))/,
  // https://docs.x.ai/developers/tools/overview
  xai: /^grok-(?:[123](?:[.-]|$)|beta|vision)/,
};

const SEARCHING_PROVIDERS: ReadonlySet<string> = new Set(["openai", "anthropic", "google", "xai", "mistral"]);

function whyMissing({ provider, model, isOwnApi }: PreflightTarget): string | undefined {
  if (!SEARCHING_PROVIDERS.has(provider)) return `${provider} has none`;
  if (provider === "openai" && !isOwnApi) return "only OpenAI's own API has it, not a server behind another base URL";
  const isSearchless = provider === "google" ? !takesGoogleSearch(model) : SEARCHLESS[provider]?.test(model) === true;
  return isSearchless ? `${model} has none` : undefined;
}

/**
 * Models that read no pages, according to
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool
 */
const FETCHLESS = /^claude-(?:instant|2|3-(?:opus|sonnet|haiku)|3-5-sonnet)/;

function whyNoFetch({ provider, model }: PreflightTarget): string | undefined {
  if (provider !== "anthropic") return `${provider} has none`;
  return FETCHLESS.test(model) ? `${model} has none` : undefined;
}

interface SearchOptions {
  readonly maxUses: boolean;
  /** Maximum number of domains in a list; 0 if lists are not supported. */
  readonly domains: number;
}

const OPTIONS: Readonly<Record<string, SearchOptions>> = {
  openai: { maxUses: false, domains: 100 },
  anthropic: { maxUses: true, domains: 100 },
  google: { maxUses: false, domains: 0 },
  xai: { maxUses: false, domains: 5 },
  mistral: { maxUses: false, domains: 0 },
};

function optionIssues(tool: HostedTool, path: string, { provider }: PreflightTarget): readonly ModelIssue[] {
  const { maxUses, domains } = OPTIONS[provider] ?? { maxUses: false, domains: 0 };
  const issues: ModelIssue[] = [];
  if (tool.maxUses !== undefined && !maxUses) {
    issues.push(
      issue(`${path}.config.maxUses`, "HOSTED_OPTION_UNSUPPORTED", `${provider} does not support this limit`),
    );
  }
  for (const option of ["allowedDomains", "blockedDomains"] as const) {
    const count = tool[option]?.length ?? 0;
    if (count <= domains) continue;
    const message =
      domains === 0
        ? `${provider} does not support lists of domains`
        : `${provider} supports at most ${domains} domains`;
    issues.push(issue(`${path}.config.${option}`, "HOSTED_OPTION_UNSUPPORTED", message));
  }
  return issues;
}

function issue(path: string, code: ModelIssue["code"], message: string): ModelIssue {
  return { severity: "error", path, code, message };
}

import type { HostedTool, ModelIssue } from "../port.ts";
import { readsPages, runsCode, takesGoogleSearch, takesMixedTools } from "../preflight/gemini-versions.ts";
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
  const { name, whyMissing } = KINDS[tool.hosted];
  const missing = whyMissing(target);
  if (missing !== undefined) {
    const message = `expected a model with its own ${name}: ${missing}; use such a model, or remove providerHosted`;
    return [issue(`${path}.config.providerHosted`, "HOSTED_TOOL_UNSUPPORTED", message)];
  }
  const issues = [...optionIssues(tool, path, target)];
  if (hasOtherTools && target.provider === "google" && !takesMixedTools(target.model)) {
    const message =
      `a model before Gemini 3 accepts either Google's ${name} or the agent's tools, and would receive only the former; ` +
      `use a Gemini 3 model, or remove the ${name} or the other tools`;
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

const NOT_BEHIND_A_PROXY = "only OpenAI's own API has it, not a server behind another base URL";
const SEARCHING_PROVIDERS: ReadonlySet<string> = new Set(["openai", "anthropic", "google", "xai", "mistral"]);

function whyNoSearch({ provider, model, isOwnApi }: PreflightTarget): string | undefined {
  if (!SEARCHING_PROVIDERS.has(provider)) return `${provider} has none`;
  if (provider === "openai" && !isOwnApi) return NOT_BEHIND_A_PROXY;
  const isSearchless = provider === "google" ? !takesGoogleSearch(model) : SEARCHLESS[provider]?.test(model) === true;
  return isSearchless ? `${model} has none` : undefined;
}

/**
 * Models that read no pages and run no code, according to
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool and
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool
 */
const OLDER_CLAUDE = /^claude-(?:instant|2|3-(?:opus|sonnet|haiku)|3-5-sonnet)/;
/** Models before those of https://developers.openai.com/api/docs/guides/tools-code-interpreter */
const CODELESS_GPT = /^(?:gpt-3\.5|gpt-4(?:-turbo)?(?:-\d.*|-preview)?$|o1|chatgpt|gpt-.*-chat)/;

function whyNoFetch({ provider, model }: PreflightTarget): string | undefined {
  if (provider !== "anthropic" && provider !== "google") return `${provider} has none`;
  const isWithout = provider === "anthropic" ? OLDER_CLAUDE.test(model) : !readsPages(model);
  return isWithout ? `${model} has none` : undefined;
}

function whyNoCode({ provider, model, isOwnApi }: PreflightTarget): string | undefined {
  if (provider === "openai") {
    if (!isOwnApi) return NOT_BEHIND_A_PROXY;
    return CODELESS_GPT.test(model) ? `${model} has none` : undefined;
  }
  if (provider !== "anthropic" && provider !== "google") return `${provider} has none`;
  const isWithout = provider === "anthropic" ? OLDER_CLAUDE.test(model) : !runsCode(model);
  return isWithout ? `${model} has none` : undefined;
}

const KINDS: Readonly<
  Record<HostedTool["hosted"], { name: string; whyMissing: (target: PreflightTarget) => string | undefined }>
> = {
  web_search: { name: "web search", whyMissing: whyNoSearch },
  url_fetch: { name: "reader of pages", whyMissing: whyNoFetch },
  code_exec: { name: "sandbox for code", whyMissing: whyNoCode },
};

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
const NO_OPTIONS: SearchOptions = { maxUses: false, domains: 0 };

function optionIssues(tool: HostedTool, path: string, { provider }: PreflightTarget): readonly ModelIssue[] {
  const { maxUses, domains } = (tool.hosted === "code_exec" ? undefined : OPTIONS[provider]) ?? NO_OPTIONS;
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

import type { HostedTool, ModelIssue } from "../port.ts";
import { takesGoogleSearch, takesMixedTools } from "../preflight/gemini-versions.ts";
import type { PreflightTarget } from "../preflight/preflight-target.ts";

/**
 * What is wrong with a tool that the model's provider is to run: it has none, it has it in none of its older models, it
 * cannot do what is asked of it, or the rest of the agent's tools would be lost beside it.
 *
 * @param path - where the tool stands, as `tools[0]`.
 * @param hasOtherTools - whether the agent has tools that it calls itself.
 */
export function hostedIssues(
  tool: HostedTool,
  path: string,
  target: PreflightTarget,
  hasOtherTools: boolean,
): readonly ModelIssue[] {
  const missing = whyMissing(target);
  if (missing !== undefined) {
    const message = `expected a model that searches the web itself: ${missing}; leave providerHosted out`;
    return [issue(`${path}.config.providerHosted`, "HOSTED_TOOL_UNSUPPORTED", message)];
  }
  const issues = [...optionIssues(tool, path, target)];
  if (hasOtherTools && target.provider === "google" && !takesMixedTools(target.model)) {
    const message =
      "models before Gemini 3 take either Google's search or tools of the agent, and would be given the search alone; " +
      "use a Gemini 3 model or leave one of them out";
    issues.push(issue(`${path}.config.providerHosted`, "HOSTED_TOOL_CONFLICT", message));
  }
  return issues;
}

/** Models whose pages say that they do not search. */
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
  if (!SEARCHING_PROVIDERS.has(provider)) return `${provider} has no such tool`;
  if (provider === "openai" && !isOwnApi)
    return "only OpenAI itself has the tool, not a server behind another base URL";
  const isSearchless = provider === "google" ? !takesGoogleSearch(model) : SEARCHLESS[provider]?.test(model) === true;
  return isSearchless ? `${model} cannot` : undefined;
}

interface SearchOptions {
  readonly maxUses: boolean;
  /** Most domains of a list; 0 where there is no list. */
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
    issues.push(issue(`${path}.config.maxUses`, "HOSTED_OPTION_UNSUPPORTED", `${provider} takes no such limit`));
  }
  for (const option of ["allowedDomains", "blockedDomains"] as const) {
    const count = tool[option]?.length ?? 0;
    if (count <= domains) continue;
    const message =
      domains === 0 ? `${provider} takes no list of domains` : `${provider} takes at most ${domains} domains`;
    issues.push(issue(`${path}.config.${option}`, "HOSTED_OPTION_UNSUPPORTED", message));
  }
  return issues;
}

function issue(path: string, code: ModelIssue["code"], message: string): ModelIssue {
  return { severity: "error", path, code, message };
}

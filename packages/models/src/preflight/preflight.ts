import { hostedIssues } from "../hosted/hosted-issues.ts";
import type { HostedTool, ModelIssue, ModelTool } from "../port.ts";
import { anthropicIssues } from "./anthropic-rules.ts";
import { geminiIssues } from "./gemini-rules.ts";
import { openAiIssues } from "./openai-rules.ts";
import type { PreflightTarget } from "./preflight-target.ts";

type ToolRules = (tool: ModelTool, path: string) => readonly ModelIssue[];

/**
 * Validates an agent's tools against the provider's rules without sending a request. A problem is an error if the
 * provider would reject the request, and a warning if information would be lost. The names and number of tools need no
 * check: dots are mapped to characters that every provider accepts, and an agent can't have more tools than a provider
 * accepts.
 */
export function preflight(tools: readonly (ModelTool | HostedTool)[], target: PreflightTarget): readonly ModelIssue[] {
  const rules = rulesFor(target);
  const hasOtherTools = tools.some((tool) => !("hosted" in tool));
  const ofTools = tools.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    return "hosted" in tool ? hostedIssues(tool, path, target, hasOtherTools) : rules(tool, path);
  });
  return hasOtherTools ? [...toolUseIssues(target), ...ofTools] : ofTools;
}

function rulesFor({ provider, isOwnApi }: PreflightTarget): ToolRules {
  switch (provider) {
    case "openai":
      return isOwnApi ? openAiIssues : () => [];
    case "anthropic":
      return anthropicIssues;
    case "google":
      return geminiIssues;
    default:
      return () => [];
  }
}

/** Models that do not support tool calls, according to the providers' documentation. */
const TOOLLESS: ReadonlyMap<string, RegExp> = new Map([
  ["openai", /^(?:gpt-5-chat|chatgpt-4o|o1-mini|o1-preview|gpt-4o(?:-mini)?-search-preview|gpt-3\.5-turbo-instruct)/],
  ["google", /^(?:gemma-[123]|gemini-.*(?:-tts|-image)(?:-|$)|gemini-nano-banana)/],
]);

function toolUseIssues({ provider, model, isOwnApi }: PreflightTarget): readonly ModelIssue[] {
  if (!isOwnApi || TOOLLESS.get(provider)?.test(model) !== true) return [];
  const message = `${model} is not known to support tool calls; the agent's tools may be rejected or never used`;
  return [{ severity: "warning", path: "model", code: "MODEL_WITHOUT_TOOLS", message }];
}

import { hostedIssues } from "../hosted/hosted-issues.ts";
import type { HostedTool, ModelIssue, ModelTool } from "../port.ts";
import { anthropicIssues } from "./anthropic-rules.ts";
import { geminiIssues } from "./gemini-rules.ts";
import { openAiIssues } from "./openai-rules.ts";
import type { PreflightTarget } from "./preflight-target.ts";

type ToolRules = (tool: ModelTool, path: string) => readonly ModelIssue[];

/**
 * Looks at an agent's tools as its model's provider would, and calls nobody: what would be refused is an error, what
 * would be lost on the way a warning. Names need no look here, since dots are mapped and what is left every provider
 * takes; nor does their number, since an agent has no more tools than each of them takes.
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

/** Models whose pages say that they call no tools. */
const TOOLLESS: ReadonlyMap<string, RegExp> = new Map([
  ["openai", /^(?:gpt-5-chat|chatgpt-4o|o1-mini|o1-preview|gpt-4o(?:-mini)?-search-preview|gpt-3\.5-turbo-instruct)/],
  ["google", /^(?:gemma-[123]|gemini-.*(?:-tts|-image)(?:-|$)|gemini-nano-banana)/],
]);

function toolUseIssues({ provider, model, isOwnApi }: PreflightTarget): readonly ModelIssue[] {
  if (!isOwnApi || TOOLLESS.get(provider)?.test(model) !== true) return [];
  const message = `${model} is not known to call tools; the agent's tools may be refused or never used`;
  return [{ severity: "warning", path: "model", code: "MODEL_WITHOUT_TOOLS", message }];
}

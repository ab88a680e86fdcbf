import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { type IntentReference, isBuiltinTool, isIntentReference, type ToolDefinition } from "@yagate/protocol";

/** An intent among an agent's tools. */
export interface IntentEntry {
  /** The index in the agent's tools. */
  readonly index: number;
  readonly reference: IntentReference;
}

/** Returns the intents among an agent's tools. A `web_search` that prefers the provider's own search is one too. */
export function intentEntries(tools: readonly ToolDefinition[]): readonly IntentEntry[] {
  return tools.flatMap((tool, index) => {
    const reference = isIntentReference(tool) ? tool : preferredSearch(tool);
    return reference === undefined ? [] : [{ index, reference }];
  });
}

/** Returns the intent that a `web_search` with `providerHosted: "prefer"` stands for. */
function preferredSearch(tool: ToolDefinition): IntentReference | undefined {
  if (!isBuiltinTool(tool) || resolveBuiltinName(tool.builtin) !== "web_search") return undefined;
  const { providerHosted, ...config } = tool.config ?? {};
  if (providerHosted !== "prefer") return undefined;
  return { intent: "web.search", ...(Object.keys(config).length === 0 ? {} : { config }) };
}

/** Returns the name of the tool that models call for an intent. */
export function toolNameOfIntent(intent: string): string {
  return intent.replaceAll(".", "_");
}

import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import { toCodeText, toOutputText } from "./hosted/code-interpreter.ts";
import { CODE_INTERPRETER } from "./hosted/provider-hosted-tool.ts";
import type { AssistantPart, ModelMessage, ProviderMetadata, ToolResultForModel } from "./port.ts";
import type { NativeSearch } from "./search/native-search.ts";
import { toProviderToolName } from "./tool-names.ts";

type PromptPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type PromptResult = Extract<
  Extract<LanguageModelV4Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>;
type PromptOutput = PromptResult["output"];

/**
 * Converts a conversation to the provider's form. Each part is sent with the metadata that the provider returned with
 * it.
 */
export function toPrompt(
  systemPrompt: string,
  messages: readonly ModelMessage[],
  search?: NativeSearch,
): LanguageModelV4Prompt {
  const toResult = (result: ToolResultForModel) => toPromptResult(result, search);
  const toPart = (part: AssistantPart) => toPromptPart(part, search);
  const prompt: LanguageModelV4Prompt = systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }];
  for (const message of messages) {
    if (message.role === "user") prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
    else if (message.role === "tool") prompt.push({ role: "tool", content: message.results.map(toResult) });
    // Providers reject a message without content.
    else if (message.parts.length > 0) prompt.push({ role: "assistant", content: message.parts.map(toPart) });
  }
  return prompt;
}

function toPromptPart(part: AssistantPart, search: NativeSearch | undefined): PromptPart {
  const options = part.providerMetadata === undefined ? {} : { providerOptions: toOptions(part.providerMetadata) };
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text, ...options };
    case "tool_call":
      return {
        type: "tool-call",
        toolCallId: part.providerCallId,
        toolName: toProviderToolName(part.name),
        input: search?.toInput(part) ?? toInput(part.parameters),
        ...options,
      };
    case "hosted_call":
      if (part.name === CODE_INTERPRETER) return { type: "text", text: toCodeText(part.input) };
      return {
        type: "tool-call",
        toolCallId: part.providerCallId,
        toolName: part.name,
        input: isJsonObject(part.input) ? part.input : {},
        providerExecuted: true,
        ...options,
      };
    case "hosted_result":
      if (part.name === CODE_INTERPRETER) return { type: "text", text: toOutputText(part.output) };
      return {
        type: "tool-result",
        toolCallId: part.providerCallId,
        toolName: part.name,
        output: toHostedOutput(part.output, part.isError),
        ...options,
      };
  }
}

function toHostedOutput(output: JsonValue, isError: boolean): PromptOutput {
  if (isError) return { type: "error-json", value: output };
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output };
}

// Anthropic and Gemini require an object, so any other input that the model wrote is wrapped in an object.
function toInput(parameters: JsonValue): JsonObject {
  return isJsonObject(parameters) ? parameters : { rawInvalidInput: parameters };
}

function toPromptResult(result: ToolResultForModel, search: NativeSearch | undefined): PromptResult {
  return {
    type: "tool-result",
    toolCallId: result.providerCallId,
    toolName: toProviderToolName(result.name),
    output:
      search?.toOutput(result) ?? (result.isError ? toErrorOutput(result.text) : { type: "text", value: result.text }),
  };
}

// OpenAI's API can't mark a result as failed, so the AI SDK's provider wraps failed results in {"error": …}. The
// gateway's errors already have that form and are sent unchanged.
function toErrorOutput(text: string): PromptOutput {
  const value = parseJsonOrUndefined(text);
  const error = value !== undefined && isJsonObject(value) ? value["error"] : undefined;
  return error === undefined ? { type: "error-text", value: text } : { type: "error-json", value: error };
}

function toOptions(metadata: ProviderMetadata): SharedV4ProviderOptions {
  const options: SharedV4ProviderOptions = {};
  for (const [provider, values] of Object.entries(metadata)) {
    if (isJsonObject(values)) options[provider] = values;
  }
  return options;
}

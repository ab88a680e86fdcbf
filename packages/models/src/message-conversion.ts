import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { ModelMessage as SdkMessage } from "ai";
import type { AssistantPart, ModelMessage, ProviderMetadata, ToolResultForModel } from "./port.ts";
import { toProviderToolName } from "./tool-names.ts";

type SdkAssistantContent = Exclude<Extract<SdkMessage, { role: "assistant" }>["content"], string>;
type SdkAssistantPart = SdkAssistantContent[number];
type SdkToolOutput = Extract<SdkToolPart, { type: "tool-result" }>["output"];
type SdkToolPart = Extract<SdkMessage, { role: "tool" }>["content"][number];

/** Converts the gateway's messages to those of the AI SDK. Each part gets its provider metadata back. */
export function toSdkMessages(messages: readonly ModelMessage[]): SdkMessage[] {
  return messages.flatMap((message): SdkMessage[] => {
    if (message.role === "user") return [{ role: "user", content: message.text }];
    if (message.role === "tool") return [{ role: "tool", content: message.results.map(toSdkResult) }];
    // Providers reject a message without content.
    return message.parts.length === 0 ? [] : [{ role: "assistant", content: message.parts.map(toSdkPart) }];
  });
}

function toSdkPart(part: AssistantPart): SdkAssistantPart {
  const options = part.providerMetadata === undefined ? {} : { providerOptions: toSdkOptions(part.providerMetadata) };
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text, ...options };
    case "tool_call":
      return {
        type: "tool-call",
        toolCallId: part.providerCallId,
        toolName: toProviderToolName(part.name),
        input: toSdkInput(part.parameters),
        ...options,
      };
    case "hosted_call":
      return {
        type: "tool-call",
        toolCallId: part.providerCallId,
        toolName: part.name,
        input: isJsonObject(part.input) ? part.input : {},
        providerExecuted: true,
        ...options,
      };
    case "hosted_result":
      return {
        type: "tool-result",
        toolCallId: part.providerCallId,
        toolName: part.name,
        output: toHostedOutput(part.output, part.isError),
        ...options,
      };
  }
}

function toHostedOutput(output: JsonValue, isError: boolean): SdkToolOutput {
  if (isError) return { type: "error-json", value: output };
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output };
}

// Anthropic and Gemini require an object, so any other input that the model wrote is wrapped in an object.
function toSdkInput(parameters: JsonValue): JsonObject {
  return isJsonObject(parameters) ? parameters : { rawInvalidInput: parameters };
}

function toSdkResult(result: ToolResultForModel): SdkToolPart {
  return {
    type: "tool-result",
    toolCallId: result.providerCallId,
    toolName: toProviderToolName(result.name),
    output: result.isError ? toErrorOutput(result.text) : { type: "text", value: result.text },
  };
}

// OpenAI has no mark for failed results, so the SDK wraps them in {"error": …}. The gateway's errors already have that
// form and are sent as they are.
function toErrorOutput(text: string): SdkToolOutput {
  const value = parseJsonOrUndefined(text);
  const error = value !== undefined && isJsonObject(value) ? value["error"] : undefined;
  return error === undefined ? { type: "error-text", value: text } : { type: "error-json", value: error };
}

function toSdkOptions(metadata: ProviderMetadata): SharedV4ProviderOptions {
  const options: SharedV4ProviderOptions = {};
  for (const [provider, values] of Object.entries(metadata)) {
    if (isJsonObject(values)) options[provider] = values;
  }
  return options;
}

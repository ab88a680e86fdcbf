import { defined } from "@yagate/lib/objects/defined";
import type { JsonObject, JsonValue, ModelResponse } from "@yagate/protocol";
import { type ContentPart, InvalidToolInputError, type FinishReason as SdkFinishReason, type ToolSet } from "ai";
import { groundingQueries, toGroundingParts } from "./hosted/grounding.ts";
import { toHostedCalls } from "./hosted/hosted-calls.ts";
import { toSources } from "./hosted/sources.ts";
import type { AssistantPart, FinishReason, ModelToolCall, ModelTurn, ProviderMetadata } from "./port.ts";
import type { SdkUsage } from "./turn-usage.ts";

type SdkContentPart = ContentPart<ToolSet>;
type SdkToolCall = Extract<SdkContentPart, { type: "tool-call" }>;
type SdkToolOutput = Extract<SdkContentPart, { type: "tool-result" | "tool-error" }>;

/** The AI SDK's result for one response, streamed or not. */
export interface SdkAnswer {
  readonly content: readonly SdkContentPart[];
  readonly finishReason: SdkFinishReason;
  readonly rawFinishReason: string | undefined;
  readonly usage: SdkUsage;
  /** The id and model that the provider sent; the SDK invents missing ones. */
  readonly response?: ModelResponse;
  readonly providerMetadata?: object | undefined;
}

/** How the names and ids of a reply are mapped to the gateway's. */
export interface TurnNaming {
  readonly ownName: (providerName: string) => string;
  readonly newToolCallId: () => string;
}

/**
 * Converts a reply to the gateway's form. Calls of unknown tools or with invalid arguments stay calls, which the
 * gateway handles; the results that the SDK invents for them are dropped. Provider-run calls are kept separate,
 * whatever their name.
 */
export function toModelTurn(answer: SdkAnswer, naming: TurnNaming): Omit<ModelTurn, "usage" | "cost"> {
  const parts: AssistantPart[] = [];
  const toolCalls: ModelToolCall[] = [];
  let text = "";
  for (const part of answer.content) {
    switch (part.type) {
      case "text":
        text += part.text;
        pushText(parts, part);
        break;
      case "reasoning":
        pushText(parts, part);
        break;
      case "tool-call": {
        if (part.providerExecuted === true) {
          parts.push(toHostedCall(part));
          break;
        }
        const call = toToolCall(part, naming);
        toolCalls.push(call);
        const { malformed: _malformed, ...stored } = call;
        parts.push({ type: "tool_call", ...stored, ...toMetadata(part.providerMetadata) });
        break;
      }
      case "tool-result":
      case "tool-error":
        if (part.providerExecuted === true) parts.push(toHostedResult(part));
        break;
    }
  }
  const hostedCalls = toHostedCalls(parts, naming.ownName);
  const ofGrounding = toGroundingParts(groundingQueries(answer.providerMetadata));
  return {
    text,
    ...defined({ response: answer.response }),
    finishReason: toFinishReason(answer, toolCalls.length),
    toolCalls,
    hostedCalls: hostedCalls.length > 0 ? hostedCalls : toHostedCalls(ofGrounding, naming.ownName),
    sources: toSources(answer.content.filter((part) => part.type === "source")),
    parts,
  };
}

function pushText(parts: AssistantPart[], part: Extract<SdkContentPart, { type: "text" | "reasoning" }>): void {
  if (part.text === "" && part.providerMetadata === undefined) return;
  parts.push({ type: part.type, text: part.text, ...toMetadata(part.providerMetadata) });
}

function toToolCall(part: SdkToolCall, naming: TurnNaming): ModelToolCall {
  const isMalformed = part.invalid === true && InvalidToolInputError.isInstance(part.error);
  return {
    toolCallId: naming.newToolCallId(),
    providerCallId: part.toolCallId,
    name: naming.ownName(part.toolName),
    // For a tool without arguments, a model may write null.
    parameters: toJsonValue(part.input ?? (isMalformed ? null : {})),
    ...(isMalformed ? { malformed: "the arguments were not valid JSON; expected one JSON object" } : {}),
  };
}

function toHostedCall({ toolCallId, toolName, input, providerMetadata }: SdkToolCall): AssistantPart {
  const place = { providerCallId: toolCallId, name: toolName };
  return { type: "hosted_call", ...place, input: toJsonValue(input), ...toMetadata(providerMetadata) };
}

function toHostedResult(part: SdkToolOutput): AssistantPart {
  const isError = part.type === "tool-error";
  return {
    type: "hosted_result",
    providerCallId: part.toolCallId,
    name: part.toolName,
    output: toPlainJson(isError ? part.error : part.output),
    isError,
    ...toMetadata(part.providerMetadata),
  };
}

function toFinishReason({ finishReason, rawFinishReason }: SdkAnswer, toolCallCount: number): FinishReason {
  switch (finishReason) {
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "stop":
    case "tool-calls":
      // Some compatible servers report "stop" when they call tools.
      return toolCallCount > 0 ? "tool_calls" : "stop";
    default:
      // Run the calls of a complete response whose finish reason is missing or a synonym of "tool_calls". With any
      // other unknown reason, calls may have been truncated.
      return toolCallCount > 0 && /^(?:|function_call|tool_calls?|tool_use)$/i.test(rawFinishReason ?? "")
        ? "tool_calls"
        : "other";
  }
}

function toMetadata(metadata: object | undefined): { providerMetadata?: ProviderMetadata } {
  if (metadata === undefined) return {};
  // The round trip drops values that JSON can't represent; the event store could not store them either.
  const providerMetadata: JsonObject = JSON.parse(JSON.stringify(metadata));
  return { providerMetadata };
}

// The SDK either parsed the value from JSON or kept the raw text.
function toJsonValue(value: unknown): JsonValue {
  return isJsonValue(value) ? value : null;
}

function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

// The SDK builds the results of provider-run tools itself, and some of their fields are undefined.
function toPlainJson(value: unknown): JsonValue {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}

import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";
import { defined } from "@yagate/lib/objects/defined";
import type { JsonObject, JsonValue, ModelResponse } from "@yagate/protocol";
import { parse } from "secure-json-parse";
import { toPageParts } from "./hosted/gemini-pages.ts";
import { groundingQueries, toGroundingParts, toHostedCalls, toSources } from "./hosted/hosted-calls.ts";
import type { AssistantPart, FinishReason, ModelToolCall, ModelTurn, ProviderMetadata } from "./port.ts";
import type { NativeSearch } from "./search/native-search.ts";

/** One response of a provider, streamed or not. */
export interface ProviderReply extends Pick<LanguageModelV4GenerateResult, "finishReason" | "usage"> {
  readonly providerMetadata?: LanguageModelV4GenerateResult["providerMetadata"] | undefined;
  readonly content: readonly LanguageModelV4Content[];
  /** The id and model that the provider reported; absent if it reported neither. */
  readonly response?: ModelResponse;
}

/** How the names and ids in a reply are mapped to the gateway's. */
export interface TurnNaming {
  /** The provider's names for the tools in the request. */
  readonly names: ReadonlySet<string>;
  readonly ownName: (providerName: string) => string;
  /** The same for tools that the provider ran. */
  readonly hostedName?: ((providerName: string) => string) | undefined;
  readonly newToolCallId: () => string;
  /** The tool search in the provider's form; absent if the model takes it as a function. */
  readonly search?: NativeSearch | undefined;
}

/**
 * Converts a reply to the gateway's form. Calls to unknown tools or with invalid arguments are kept as calls, which the
 * gateway then rejects. Provider-run calls are kept separate, even if they use the name of an agent's tool.
 */
export function toModelTurn(answer: ProviderReply, naming: TurnNaming): Omit<ModelTurn, "usage" | "cost"> {
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
          parts.push(toHostedCall(part, naming));
          break;
        }
        const call = toToolCall(part, naming);
        toolCalls.push(call);
        const { malformed: _malformed, ...stored } = call;
        parts.push({ type: "tool_call", ...stored, ...toMetadata(part.providerMetadata) });
        break;
      }
      case "tool-result":
        parts.push(toHostedResult(part));
        break;
    }
  }
  const { providerMetadata } = answer;
  // Newer models of Google return their searches and pages as parts; all of them describe them in the metadata.
  const isTold = parts.some((part) => part.type === "hosted_call" && part.name.startsWith("server:"));
  const described = isTold
    ? []
    : [...toGroundingParts(groundingQueries(providerMetadata)), ...toPageParts(providerMetadata)];
  return {
    text,
    ...defined({ response: answer.response }),
    finishReason: toFinishReason(answer, toolCalls.length),
    toolCalls,
    hostedCalls: toHostedCalls([...parts, ...described], naming.hostedName ?? naming.ownName),
    sources: toSources(answer.content.filter((part) => part.type === "source")),
    parts,
  };
}

function pushText(parts: AssistantPart[], part: Extract<LanguageModelV4Content, { type: "text" | "reasoning" }>): void {
  if (part.text === "" && part.providerMetadata === undefined) return;
  parts.push({ type: part.type, text: part.text, ...toMetadata(part.providerMetadata) });
}

function toToolCall(part: LanguageModelV4ToolCall, naming: TurnNaming): ModelToolCall {
  const name = naming.ownName(part.toolName);
  const parsed = parseInput(part, naming);
  const input = parsed === undefined ? undefined : (naming.search?.readInput(name, parsed) ?? parsed);
  // The arguments for an unknown tool are not validated, because the call fails in any case: the tool does not exist.
  const isMalformed = input === undefined && naming.names.has(part.toolName);
  return {
    toolCallId: naming.newToolCallId(),
    providerCallId: part.toolCallId,
    name,
    // A model may write null if it has no arguments for a tool.
    parameters: input === undefined ? part.input : (input ?? {}),
    ...(isMalformed ? { malformed: "the arguments were not valid JSON; expected one JSON object" } : {}),
  };
}

function toHostedCall(part: LanguageModelV4ToolCall, naming: TurnNaming): AssistantPart {
  const { toolCallId: providerCallId, toolName: name, providerMetadata } = part;
  const input = parseInput(part, naming) ?? part.input;
  return { type: "hosted_call", providerCallId, name, input, ...toMetadata(providerMetadata) };
}

/** Parses the input of a call; `undefined` if it is not JSON. For a known tool, empty input means no arguments. */
function parseInput(
  { toolName, input, providerExecuted, dynamic }: LanguageModelV4ToolCall,
  { names }: TurnNaming,
): JsonValue | undefined {
  const mayBeEmpty = names.has(toolName) || (providerExecuted === true && dynamic === true);
  if (mayBeEmpty && input.trim() === "") return {};
  try {
    return parse(input, { protoAction: "error", constructorAction: "error" });
  } catch {
    return undefined;
  }
}

function toHostedResult(part: LanguageModelV4ToolResult): AssistantPart {
  return {
    type: "hosted_result",
    providerCallId: part.toolCallId,
    name: part.toolName,
    output: toPlainJson(part.result),
    isError: part.isError === true,
    ...toMetadata(part.providerMetadata),
  };
}

function toFinishReason({ finishReason }: ProviderReply, toolCallCount: number): FinishReason {
  switch (finishReason.unified) {
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "stop":
    case "tool-calls":
      // Some compatible servers report "stop" when they call tools.
      return toolCallCount > 0 ? "tool_calls" : "stop";
    default:
      // A complete response may lack a finish reason or use a synonym. Any other unknown reason may mean that calls
      // were truncated.
      return toolCallCount > 0 && /^(?:|function_call|tool_calls?|tool_use)$/i.test(finishReason.raw ?? "")
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

// The AI SDK's providers build the results of provider-run tools themselves and leave some fields undefined.
function toPlainJson(value: unknown): JsonValue {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}

import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { ModelMessage, ModelTool, ToolResultForModel } from "../port.ts";
import { toProviderToolName } from "../tool-names.ts";
import type { SearchForm } from "./search-form.ts";

type Definition = NonNullable<LanguageModelV4CallOptions["tools"]>[number];
type FunctionDefinition = Extract<Definition, { type: "function" }>;

/** The gateway's tool search in the form of a provider. */
export interface NativeSearch {
  /** The tools of the request. Between model turns, the tools that the provider caches stay the same. */
  readonly definitions: readonly Definition[];
  /** Returns the arguments that the gateway reads, of a call as the provider returns it. */
  readInput(name: string, input: JsonValue): JsonValue;
  /** Returns a call as the provider takes it back; undefined for a call of another tool. */
  toInput(call: {
    readonly name: string;
    readonly providerCallId: string;
    readonly parameters: JsonValue;
  }): JsonObject | undefined;
  /** Returns a result as the provider takes it; undefined for a result that is sent as text. */
  toOutput(result: ToolResultForModel): LanguageModelV4ToolResultOutput | undefined;
}

/** What a native form is made of. */
export interface SearchContext {
  /** The name of the tool that finds deferred tools. */
  readonly searchTool: string;
  readonly messages: readonly ModelMessage[];
  /** The tools of the turn, with those that were found. */
  readonly tools: readonly ModelTool[];
  /** The tools of the turn as functions, in the same order. */
  readonly definitions: readonly Definition[];
}

const FORMS: Readonly<Record<SearchForm, (context: SearchContext) => NativeSearch>> = {
  anthropic: toAnthropic,
  openai: toOpenAi,
};

/** Converts the tools and the searches of a conversation to a provider's form. */
export function toNativeSearch(form: SearchForm, context: SearchContext): NativeSearch {
  return FORMS[form](context);
}

/**
 * Anthropic keeps deferred definitions out of what it caches and shows each of them where a result refers to it. A tool
 * to which no result refers stays an ordinary one, because the model would never see it otherwise.
 */
function toAnthropic(context: SearchContext): NativeSearch {
  const { searchTool } = context;
  const found = foundTools(context);
  const names = new Set([...found.values()].flat());
  return {
    definitions: functionsOf(context).map(({ own, definition }) =>
      names.has(own) ? { ...definition, providerOptions: { anthropic: { deferLoading: true } } } : definition,
    ),
    readInput: (_name, input) => input,
    toInput: () => undefined,
    toOutput({ name, toolCallId }) {
      const references = name === searchTool ? (found.get(toolCallId) ?? []) : [];
      // A result without references says why there are none.
      if (references.length === 0) return undefined;
      return { type: "content", value: references.map((reference) => toReference(toProviderToolName(reference))) };
    },
  };
}

function toReference(toolName: string) {
  return { type: "custom" as const, providerOptions: { anthropic: { type: "tool-reference", toolName } } };
}

/** OpenAI gets the definitions of found tools in the result that contains them, and adds them to what it has cached. */
function toOpenAi(context: SearchContext): NativeSearch {
  const { searchTool } = context;
  const found = foundTools(context);
  const names = new Set([...found.values()].flat());
  const functions = functionsOf(context);
  const byName = new Map(functions.map(({ own, definition }) => [own, definition]));
  const defined = new Set<string>();
  const outputs = new Map(
    [...found].map(([toolCallId, list]) => {
      // A definition is given once, although later searches may find the tool again.
      const tools = list.filter((name) => !defined.has(name) && defined.add(name));
      return [toolCallId, tools.flatMap((name) => toLoaded(byName.get(name)))] as const;
    }),
  );
  const isSearch = (name: string) => name === searchTool;
  return {
    definitions: functions
      .filter(({ own }) => !names.has(own))
      .map(({ own, definition }) => (isSearch(own) ? toSearchTool(definition) : definition)),
    readInput: (name, input) => (isSearch(name) ? readSearchInput(input) : input),
    toInput: ({ name, providerCallId, parameters }) =>
      isSearch(name) ? { arguments: parameters, call_id: providerCallId } : undefined,
    toOutput: ({ name, toolCallId }) =>
      isSearch(name) ? { type: "json", value: { tools: [...(outputs.get(toolCallId) ?? [])] } } : undefined,
  };
}

function toSearchTool({ name, description, inputSchema }: FunctionDefinition): Definition {
  return {
    type: "provider",
    id: "openai.tool_search",
    name,
    args: { execution: "client", description, parameters: inputSchema },
  };
}

function toLoaded(definition: FunctionDefinition | undefined): readonly JsonObject[] {
  if (definition === undefined) return [];
  const { name, description = "", inputSchema } = definition;
  const parameters: JsonObject = JSON.parse(JSON.stringify(inputSchema));
  return [{ type: "function", name, description, defer_loading: true, parameters }];
}

function readSearchInput(input: JsonValue): JsonValue {
  const given = isJsonObject(input) ? (input["arguments"] ?? {}) : input;
  return typeof given === "string" ? (parseJsonOrUndefined(given) ?? given) : given;
}

interface OwnFunction {
  /** The agent's name for the tool. */
  readonly own: string;
  readonly definition: FunctionDefinition;
}

function functionsOf({ tools, definitions }: SearchContext): readonly OwnFunction[] {
  return tools.flatMap(({ name }, index) => {
    const definition = definitions[index];
    return definition?.type === "function" ? [{ own: name, definition }] : [];
  });
}

/** Returns the tools of the turn that each search has found, by the id of its call. */
function foundTools({ searchTool, messages, tools }: SearchContext): ReadonlyMap<string, readonly string[]> {
  const known = new Set(tools.map(({ name }) => name));
  known.delete(searchTool);
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const searches = results.filter(({ name, isError }) => name === searchTool && !isError);
  return new Map(searches.map(({ toolCallId, text }) => [toolCallId, namesIn(text).filter((name) => known.has(name))]));
}

function namesIn(text: string): readonly string[] {
  const result = parseJsonOrUndefined(text);
  const tools = result !== undefined && isJsonObject(result) ? result["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => (isJsonObject(tool) && typeof tool["name"] === "string" ? [tool["name"]] : []));
}

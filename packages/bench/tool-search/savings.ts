import { estimateTokens } from "@yagate/lib/text/token-estimate";
import { definitionTokens } from "@yagate/tool-search/defer-tools";
import { searchDefinition } from "@yagate/tool-search/search-definition";
import { searchResult } from "@yagate/tool-search/search-result";
import { createToolIndex } from "@yagate/tool-search/tool-index";
import { mean } from "../search/measures.ts";
import type { Catalogue } from "./questions.ts";

/** The default of `toolSearch.limit`. */
const LIMIT = 5;

/** What tool search saves, as a share of what all definitions would take; negative if it takes more. */
export interface Savings {
  /** Tokens of definitions, of the search and of its results, over an execution that calls one tool. */
  readonly tokens: number;
  /** Cost of all input with prompt caching, if loaded tools are appended to the tools of the request. */
  readonly appendedCost: number;
  /** The same, if they come with the result of the search, as in the forms of Anthropic and OpenAI. */
  readonly nativeCost: number;
}

/** One model request: the tools come first, and a provider caches everything up to the first difference. */
interface Request {
  readonly tools: number;
  readonly messages: number;
}

/** Tokens of the system prompt with the user's message, of what each model turn adds, and the prices of cached input. */
export const SCENE = { prompt: 1_500, turn: 400, searches: 2, calls: 4, read: 0.1, write: 1.25 } as const;

/** Computes the savings for a tool set: the mean over the questions about its tools. */
export async function savingsOf({ tools, questions }: Catalogue): Promise<Savings> {
  const index = await createToolIndex(tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const names = [...byName.keys()];
  const all = tools.reduce((sum, tool) => sum + definitionTokens(tool), 0);
  const search = definitionTokens(searchDefinition(names, LIMIT));
  const searches = questions.map(({ queries }) => {
    const found = index.search({ query: queries.join(" "), limit: LIMIT }).flatMap((name) => byName.get(name) ?? []);
    const loaded = found.reduce((sum, tool) => sum + definitionTokens(tool), 0);
    return { loaded, result: estimateTokens(JSON.stringify(searchResult({ tools: found, names }))) };
  });
  // Two turns, a call and the answer; the search takes a third, after which both carry what it found.
  const tokens = searches.map(({ loaded, result }) => 1 - (3 * search + 2 * (loaded + result)) / (2 * all));
  const loaded = mean(searches.map((one) => one.loaded));
  const result = mean(searches.map((one) => one.result));
  const carried = costOf(requests({ first: all, perSearch: 0, result: 0, searches: 0 }));
  const appended = costOf(requests({ first: search, perSearch: loaded, result, searches: SCENE.searches }));
  // The definitions are part of the messages.
  const native = costOf(requests({ first: search, perSearch: 0, result: loaded, searches: SCENE.searches }));
  return { tokens: mean(tokens), appendedCost: 1 - appended / carried, nativeCost: 1 - native / carried };
}

/** The requests of an execution that makes its calls one after the other, after its searches. */
function requests(of: {
  readonly first: number;
  readonly perSearch: number;
  readonly result: number;
  readonly searches: number;
}): readonly Request[] {
  return Array.from({ length: of.searches + SCENE.calls + 1 }, (_, turn) => {
    const done = Math.min(turn, of.searches);
    return {
      tools: of.first + done * of.perSearch,
      messages: SCENE.prompt + done * of.result + turn * SCENE.turn,
    };
  });
}

/** The cost of requests in input tokens of the ordinary price. */
function costOf(all: readonly Request[]): number {
  const costs = all.map(({ tools, messages }, index) => {
    const before = all[index - 1];
    if (before === undefined) return (tools + messages) * SCENE.write;
    const cached = before.tools + (before.tools === tools ? before.messages : 0);
    return cached * SCENE.read + (tools + messages - cached) * SCENE.write;
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}

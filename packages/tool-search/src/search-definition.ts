import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import { namespacesOf } from "./namespaces.ts";

/** The name of the tool with which a model finds deferred tools. */
export const TOOL_SEARCH = "tool_search";

/** Returns whether no tool has the reserved name. An agent that has such a tool keeps it, and has no search. */
export function isSearchable(names: readonly string[]): boolean {
  return names.every((name) => toolNameKey(name) !== TOOL_SEARCH);
}

/** The most tools that a model may ask for in one search. */
export const MAX_SEARCH_LIMIT = 20;
export const MAX_QUERY_CHARACTERS = 1_000;
/** More namespaces are counted, but not named. */
const MAX_NAMED_NAMESPACES = 40;

/** The definition of `tool_search`, as models read it. */
export interface SearchDefinition {
  readonly name: typeof TOOL_SEARCH;
  readonly description: string;
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
}

/**
 * Defines `tool_search` for a set of deferred tools. The description names their namespaces with the number of tools in
 * each.
 *
 * @param limit - how many tools a search finds by default.
 */
export function searchDefinition(deferred: readonly string[], limit: number): SearchDefinition {
  return {
    name: TOOL_SEARCH,
    description:
      `Finds tools among ${counted(deferred.length)} that you can't see yet${inNamespaces(deferred)}. ` +
      "Search before you conclude that you lack a tool. You can call the tools that it finds from your next turn on.",
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: MAX_QUERY_CHARACTERS,
          description: "What the tool does, in a few words, or exact names of tools",
        },
        namespace: { type: "string", maxLength: 100, description: "Search only this namespace" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_SEARCH_LIMIT,
          description: `Number of tools; default ${limit}`,
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
  };
}

function inNamespaces(names: readonly string[]): string {
  const namespaces = namespacesOf(names);
  if (namespaces.length === 0) return "";
  const named = namespaces.slice(0, MAX_NAMED_NAMESPACES).map(({ name, tools }) => `${name} (${tools})`);
  const others = namespaces.length - named.length;
  const list = `${named.join(", ")}${others > 0 ? ` and ${others} more namespaces` : ""}`;
  const outside = names.length - namespaces.reduce((sum, { tools }) => sum + tools, 0);
  return `. Namespaces: ${list}${outside > 0 ? `; without a namespace: ${outside}` : ""}`;
}

function counted(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}

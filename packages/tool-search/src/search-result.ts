import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import { namespacesOf, prefixOf } from "./namespaces.ts";

/** The result of a search, as the model reads it. A type alias, so that it is assignable to a JSON value. */
export type SearchResult = {
  readonly tools: { readonly name: string; readonly description: string }[];
  readonly note: string;
};

const MAX_DESCRIPTION_CHARACTERS = 160;
const MAX_NAMED = 40;

/** The found tools, and what can be searched. */
export interface Found {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Number of matching tools that could not be loaded, because a model turn carries no more; default: 0. */
  readonly left?: number;
  readonly namespace?: string;
  /** The names of all tools that can be found. */
  readonly names: readonly string[];
}

/** Describes what a search has found: names with short descriptions, because the next turn carries the definitions. */
export function searchResult({ tools, left = 0, namespace, names }: Found): SearchResult {
  const found = tools.map(({ name, description }) => ({
    name,
    description: cutText(description, MAX_DESCRIPTION_CHARACTERS),
  }));
  const more = left === 0 ? "" : ` ${left} more matched, but no more tools can be loaded; use those that you have.`;
  if (found.length > 0) return { tools: found, note: `You can call these tools from your next turn on.${more}` };
  return { tools: [], note: nothingFound(namespace, names) };
}

/** Returns the names of the tools in a result of a search; empty if it is not such a result. */
export function foundIn(result: unknown): readonly string[] {
  const tools = isJsonObject(result) ? result["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const name = isJsonObject(tool) ? tool["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

function nothingFound(namespace: string | undefined, names: readonly string[]): string {
  const words = "Nothing matches. Describe what the tool does in other words";
  if (namespace === undefined) return `${words}.`;
  const inNamespace = names.filter((name) => prefixOf(name) === namespace);
  if (inNamespace.length > 0) return `${words}, or use an exact name. Tools of ${namespace}: ${listed(inNamespace)}.`;
  const existing = namespacesOf(names).map(({ name }) => name);
  if (existing.length === 0) return `There are no namespaces; search without one.`;
  return `There is no namespace ${JSON.stringify(cutText(namespace, 60))}; the namespaces are ${listed(existing)}.`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

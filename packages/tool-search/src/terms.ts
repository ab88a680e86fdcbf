import { STEMMED_LANGUAGES, stem } from "@yagate/lib/language/stem";
import { isStopWord } from "@yagate/lib/language/stop-words";
import { tokenize } from "@yagate/lib/language/tokenize";
import { nameWords } from "./name-words.ts";
import { prefixOf } from "./namespaces.ts";
import { schemaTexts } from "./schema-texts.ts";
import { DEFAULT_LANGUAGE, type SearchableTool } from "./searchable-tool.ts";

/** The stems of a tool, field by field. */
export interface FieldTerms {
  readonly name: readonly string[];
  readonly description: readonly string[];
  readonly parameterNames: readonly string[];
  /** Of the parameters' descriptions and enumerated values, and of the usage notes. */
  readonly details: readonly string[];
}

/**
 * Returns the stems of a tool. A namespace is not part of its name: it filters, but it does not say what a tool does.
 */
export function fieldTerms(tool: SearchableTool, namespaces: ReadonlySet<string>): FieldTerms {
  const language = languageOf(tool);
  const prefix = prefixOf(tool.name);
  const ownName = prefix !== undefined && namespaces.has(prefix) ? tool.name.slice(prefix.length + 1) : tool.name;
  const { names, texts } = schemaTexts(tool.parameters);
  const details = tool.usageNotes === undefined ? texts : [...texts, tool.usageNotes];
  return {
    name: stems(nameWords(ownName), language),
    description: stems(words(tool.description), language),
    parameterNames: stems(names.flatMap(nameWords), language),
    details: stems(details.flatMap(words), language),
  };
}

/** Returns the distinct words of a query without stop words, or all of them if there are only stop words. */
export function queryWords(query: string): readonly string[] {
  const all = [...new Set(words(query))];
  const telling = all.filter((word) => !isStopWord(word, [DEFAULT_LANGUAGE]));
  return telling.length === 0 ? all : telling;
}

/** Returns the language by which a tool's words are stemmed. */
export function languageOf({ language }: SearchableTool): string {
  return language !== undefined && STEMMED_LANGUAGES.has(language) ? language : DEFAULT_LANGUAGE;
}

function words(text: string): readonly string[] {
  return tokenize(text).map(({ term }) => term);
}

function stems(list: readonly string[], language: string): readonly string[] {
  return list.filter((word) => !isStopWord(word, [language])).map((word) => stem(word, language));
}

/** A tool as the search sees it: the text that describes it. */
export interface SearchableTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly usageNotes?: string | undefined;
  /** The language of the texts, as a two-letter code; default: English. It decides how words are stemmed. */
  readonly language?: string | undefined;
}

/** The language in which tools are described unless they name another one. */
export const DEFAULT_LANGUAGE = "en";

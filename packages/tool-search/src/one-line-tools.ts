import { schemaTexts } from "./schema-texts.ts";
import type { SearchableTool } from "./searchable-tool.ts";

/** Longest description that counts as one line. */
const ONE_LINE_CHARACTERS = 100;

/**
 * Returns the names of tools that say little about themselves: a description of one line, and no parameter with a
 * description. A search finds about 64 of 100 such tools, and about 90 of 100 others.
 */
export function oneLineTools(tools: readonly SearchableTool[]): readonly string[] {
  const isOneLine = ({ description, usageNotes = "", parameters }: SearchableTool) =>
    description.length + usageNotes.length <= ONE_LINE_CHARACTERS && schemaTexts(parameters).texts.length === 0;
  return tools.filter(isOneLine).map(({ name }) => name);
}

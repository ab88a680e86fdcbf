import { fold } from "./fold.ts";
import { FUNCTION_WORDS } from "./function-words.ts";

const folded = new Map(
  Object.entries(FUNCTION_WORDS).map(([language, words]) => [language, new Set([...words].map(fold))] as const),
);

/** Returns whether a folded word is a stop word in one of these languages. */
export function isStopWord(word: string, languages: Iterable<string>): boolean {
  for (const language of languages) if (folded.get(language)?.has(word) === true) return true;
  return false;
}

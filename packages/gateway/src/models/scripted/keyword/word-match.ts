import type { Question } from "./question.ts";
import type { ToolProfile } from "./tool-profile.ts";
import { ACTING_VERBS, hasSynonym, READING_VERBS } from "./words.ts";

/** How well a tool's words are the question's. */
export interface WordMatch {
  readonly tool: ToolProfile;
  readonly wordScore: number;
  /**
   * How far the question means this tool and no other: 2 with a word that only its name has, 1 with a word of that
   * meaning, 0 otherwise.
   */
  readonly distinction: 0 | 1 | 2;
  readonly isOnlyReading: boolean;
}

/** Compares every tool's words with the question's; a word that two tools' names share says less than one's own. */
export function matchWords(tools: readonly ToolProfile[], question: Question): readonly WordMatch[] {
  const counts = new Map<string, number>();
  for (const tool of tools) {
    for (const word of new Set(tool.words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return tools.map((tool) => {
    const name = matchName(tool, question, (word) => counts.get(word) === 1);
    const isOnlyReading = !tool.words.some((word) => ACTING_VERBS.has(word));
    return { tool, ...name, wordScore: name.wordScore + scoreContent(tool, question), isOnlyReading };
  });
}

function matchName(
  tool: ToolProfile,
  { stems }: Question,
  isOwn: (word: string) => boolean,
): Pick<WordMatch, "wordScore" | "distinction"> {
  let wordScore = 0;
  let distinction: WordMatch["distinction"] = 0;
  for (const word of tool.words) {
    if (stems.has(word)) {
      wordScore += isOwn(word) ? 3 : 1;
      if (isOwn(word)) distinction = 2;
    } else if (hasSynonym(word, stems)) {
      wordScore += isOwn(word) ? 2 : 1;
      if (isOwn(word) && distinction === 0) distinction = 1;
    } else if (READING_VERBS.has(word) && asksToRead(stems) && distinction === 0) {
      // "where is …" asks for any tool that looks something up, so it only decides between two that fit.
      distinction = 1;
    }
  }
  return { wordScore, distinction };
}

function asksToRead(stems: ReadonlySet<string>): boolean {
  return [...READING_VERBS].some((verb) => stems.has(verb));
}

function scoreContent(tool: ToolProfile, { contentStems }: Question): number {
  const parameters = [...tool.parameterWords].filter((word) => contentStems.has(word)).length;
  const described = [...tool.descriptionWords].filter(
    (word) => contentStems.has(word) || hasSynonym(word, contentStems),
  ).length;
  return parameters + Math.min(described, 2);
}

import { STOP_WORDS } from "./stop-words.ts";
import type { Token } from "./tokenize.ts";

const SAMPLE_TOKENS = 600;

const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["zh", /\p{Script=Han}/u],
  ["ko", /\p{Script=Hangul}/u],
  ["th", /\p{Script=Thai}/u],
  ["ar", /\p{Script=Arabic}/u],
  ["he", /\p{Script=Hebrew}/u],
  ["hi", /\p{Script=Devanagari}/u],
  ["el", /\p{Script=Greek}/u],
];

/**
 * The language that a text is written in, by its script and its most ordinary words. English where nothing tells: names,
 * code and tables.
 *
 * @returns a two-letter code.
 */
export function detectLanguage(tokens: readonly Token[]): string {
  const sample = tokens.slice(0, SAMPLE_TOKENS);
  for (const [language, script] of SCRIPTS) {
    const letters = sample.filter(({ term }) => script.test(term)).length;
    if (letters * 3 > sample.length) return language;
  }
  let best = "en";
  let most = 0;
  for (const [language, words] of STOP_WORDS) {
    const found = sample.reduce((count, { term }) => count + (words.has(term) ? 1 : 0), 0);
    if (found > most) {
      most = found;
      best = language;
    }
  }
  return best;
}

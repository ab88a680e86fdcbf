import { FUNCTION_WORDS } from "@yagate/lib/language/function-words";

const SAMPLE_CHARACTERS = 8_000;
const MIN_LETTERS = 12;
/** Minimum share of function words. A smaller share may be chance. */
const MIN_SHARE = 0.08;

interface Script {
  readonly letters: RegExp;
  readonly languages: readonly string[];
}

/** Scripts and the languages that use them. Function words distinguish the languages of one script. */
const SCRIPTS: readonly Script[] = [
  {
    letters: /\p{Script=Latin}/gu,
    languages: "en de fr es pt it nl pl cs sv da no fi hu ro tr id vi ca hr".split(" "),
  },
  { letters: /\p{Script=Cyrillic}/gu, languages: ["ru", "uk", "bg"] },
  { letters: /\p{Script=Arabic}/gu, languages: ["ar", "fa"] },
  { letters: /\p{Script=Hangul}/gu, languages: ["ko"] },
  { letters: /\p{Script=Devanagari}/gu, languages: ["hi"] },
  { letters: /\p{Script=Greek}/gu, languages: ["el"] },
  { letters: /\p{Script=Hebrew}/gu, languages: ["he"] },
  { letters: /\p{Script=Thai}/gu, languages: ["th"] },
  { letters: /\p{Script=Bengali}/gu, languages: ["bn"] },
  { letters: /\p{Script=Tamil}/gu, languages: ["ta"] },
  { letters: /\p{Script=Telugu}/gu, languages: ["te"] },
  { letters: /\p{Script=Georgian}/gu, languages: ["ka"] },
  { letters: /\p{Script=Armenian}/gu, languages: ["hy"] },
];
/**
 * The weight of a Chinese or Japanese character when scripts are compared. A word has fewer characters in these scripts
 * than letters in others.
 */
const IDEOGRAPH_WEIGHT = 2.5;

/**
 * Detects the main language of a text, as an ISO 639 code: by its script, and by function words if several languages
 * share the script. Returns null for a text that is too short or whose language is unclear.
 */
export function detectLanguage(text: string): string | null {
  const sample = sampleOf(text);
  const han = count(sample, /\p{Script=Han}/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const scripts = SCRIPTS.map((script) => ({ ...script, share: count(sample, script.letters) }));
  const first = scripts.reduce((best, one) => (one.share > best.share ? one : best));
  const ideographs = (han + kana) * IDEOGRAPH_WEIGHT;
  if (Math.max(ideographs, first.share) < MIN_LETTERS) return null;
  if (ideographs > first.share) return kana * 10 > han ? "ja" : "zh";
  const [only] = first.languages;
  return first.languages.length === 1 && only !== undefined ? only : byFunctionWords(sample, first.languages);
}

/** Returns parts of the start, the middle and the end, because a text may start with a licence in another language. */
function sampleOf(text: string): string {
  if (text.length <= 3 * SAMPLE_CHARACTERS) return text;
  const middle = text.length >> 1;
  return [0, middle, text.length - SAMPLE_CHARACTERS].map((at) => text.slice(at, at + SAMPLE_CHARACTERS)).join("\n");
}

function count(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

function byFunctionWords(sample: string, languages: readonly string[]): string | null {
  const words = sample.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const known = new Map<string, number>();
  for (const language of languages) {
    for (const word of FUNCTION_WORDS[language] ?? []) known.set(word, (known.get(word) ?? 0) + 1);
  }
  let best: { readonly language: string | null; readonly score: number } = { language: null, score: 0 };
  for (const language of languages) {
    const own = FUNCTION_WORDS[language] ?? new Set();
    // Words that occur in fewer languages get a higher weight.
    const score = words.reduce((sum, word) => sum + (own.has(word) ? 1 / Math.sqrt(known.get(word) ?? 1) : 0), 0);
    if (score > best.score) best = { language, score };
  }
  return best.score >= words.length * MIN_SHARE && best.score >= 1 ? best.language : null;
}

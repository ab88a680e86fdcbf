import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { seededRandom } from "./measures.ts";
import type { RelevanceSet } from "./relevance-set.ts";

/** Generated documents. */
export interface MadeDocuments {
  readonly bytes: number;
  /** Queries of two to five words from one document each, without the most common words. */
  readonly queries: readonly string[];
}

const FOLDERS = 100;
const WORDS_A_DOCUMENT = 600;
const ORDINARY_WORDS = 100;
const AT_ONCE = 50;
/** The number of different words in about ten thousand texts of this length. */
const VOCABULARY = 150_000;
/** Zipf's law in Mandelbrot's form: the frequency of the word with rank r is proportional to 1 / (r + 2.7)^1.07. */
const zipf = (rank: number) => 1 / (rank + 2.7) ** 1.07;

/**
 * Writes `count` Markdown files of some KB into a folder, the same ones each time: words from real texts, the most
 * frequent ones first, then words joined from two of these, drawn by Zipf's law.
 */
export async function makeDocuments(
  folder: string,
  count: number,
  queryCount: number,
  { documents }: RelevanceSet,
): Promise<MadeDocuments> {
  const random = seededRandom(7);
  const words = makeVocabulary(documents.map(({ text }) => text).join(" "), random);
  const word = drawByRank(words, random);
  const ordinary = new Set(words.slice(0, ORDINARY_WORDS));
  const queries: string[] = [];
  const askEvery = Math.max(1, Math.floor(count / queryCount));
  let bytes = 0;
  for (let part = 0; part < FOLDERS; part += 1) await mkdir(join(folder, `part-${part}`), { recursive: true });
  for (let made = 0; made < count; made += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, index) => {
      const number = made + index;
      const text = makeText(number, random, word);
      bytes += Buffer.byteLength(text);
      if (number % askEvery === 0 && queries.length < queryCount) queries.push(makeQuery(text, ordinary, random));
      return writeFile(join(folder, `part-${number % FOLDERS}`, `document-${number}.md`), text);
    });
    await Promise.all(batch);
  }
  return { bytes, queries };
}

function makeVocabulary(text: string, random: () => number): readonly string[] {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]{2,20}/gu)) {
    counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  }
  const real = [...counts].sort(([, left], [, right]) => right - left).map(([word]) => word);
  const words = new Set(real);
  const any = () => real[Math.floor(random() * real.length)] ?? "";
  while (words.size < VOCABULARY) words.add(`${any()}${any()}`);
  return [...words];
}

function drawByRank(words: readonly string[], random: () => number): () => string {
  const upTo: number[] = [];
  let sum = 0;
  for (const rank of words.keys()) {
    sum += zipf(rank + 1);
    upTo.push(sum);
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? "";
  };
}

function makeQuery(text: string, ordinary: ReadonlySet<string>, random: () => number): string {
  const telling = (text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !ordinary.has(word));
  const length = 2 + Math.floor(random() * 4);
  return Array.from({ length }, () => telling[Math.floor(random() * telling.length)]).join(" ");
}

function makeText(number: number, random: () => number, word: () => string): string {
  const run = (length: number) => Array.from({ length }, word).join(" ");
  const lines = [`# ${run(5)} ${number}`, ""];
  const wanted = WORDS_A_DOCUMENT * (0.3 + 1.4 * random());
  for (let written = 0; written < wanted; written += 75) {
    if (written % 225 === 0) lines.push(`## ${run(4)}`, "");
    lines.push(Array.from({ length: 5 }, () => `${run(15)}.`).join(" "), "");
  }
  return lines.join("\n");
}

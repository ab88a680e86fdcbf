import { l, n } from "js-rouge";

/** F1 figures from 0 to 1. */
export interface Rouge {
  readonly rouge1: number;
  readonly rouge2: number;
  readonly rougeL: number;
}

/**
 * Compares a summary with a reference by js-rouge. Its own tokens are English (Penn Treebank), so words come from
 * `Intl.Segmenter` in the language, in lower case and without punctuation, for all languages; ROUGE-L (of whole
 * summaries) gets the sentences as they were chosen.
 */
export function rougeOf(summary: readonly string[], reference: readonly string[], language: string): Rouge {
  const words = new Intl.Segmenter(language, { granularity: "word" });
  const tokenizer = (text: string) =>
    [...words.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  const segmenter = (text: string) => text.split("\n");
  const [candidate, wanted] = [summary, reference].map((sentences) =>
    sentences.map((sentence) => sentence.replace(/\s+/g, " ")).join("\n"),
  );
  if (candidate === undefined || wanted === undefined || tokenizer(candidate).length === 0) {
    return { rouge1: 0, rouge2: 0, rougeL: 0 };
  }
  return {
    rouge1: n(candidate, wanted, { n: 1, tokenizer }),
    rouge2: n(candidate, wanted, { n: 2, tokenizer }),
    rougeL: l(candidate, wanted, { segmenter, tokenizer }),
  };
}

import { EXTRACTIVE_LIMITS } from "../../builtins/src/text-summarizer/extractive/extractive-summary.ts";
import { summarizeText } from "../../builtins/src/text-summarizer/extractive/summarize-text.ts";
import { longText } from "../../builtins/test/text-summarizer/extractive/long-text.ts";
import { format, spreadOf } from "../spread.ts";
import { readTexts, type SummarizedText } from "./read-texts.ts";
import type { Rouge } from "./rouge.ts";
import { createRandom, type Summarizer, summariesOf } from "./summaries-of.ts";

interface Row {
  readonly text: SummarizedText;
  readonly scores: Readonly<Record<Summarizer, Rouge>>;
}

const SUMMARIZERS: readonly Summarizer[] = ["extractive", "textRank", "random"];
const BOOTSTRAPS = 2_000;
/** Fewer say nothing of their spread. */
const MIN_DOCUMENTS = 4;
const ROUNDS = 7;

/** Compares the extractive mode of text_summarizer, TextRank and random sentences with the abstracts of the texts. */
export async function benchSummaries(): Promise<void> {
  const texts = readTexts();
  console.log(`summaries of ${texts.length} texts: ROUGE-1 / ROUGE-2 / ROUGE-L F1 against their abstracts`);
  for (const [name, count] of [
    ["three sentences", 3],
    ["as many sentences as the abstract", undefined],
  ] as const) {
    const rows = texts.map((text) => ({ text, scores: summariesOf(text, count) }));
    console.log(`\n${name}`);
    print("all", rows);
    for (const half of ["development", "held-out"]) print(half, of(rows, "half", half));
    for (const kind of distinct(texts.map(({ kind }) => kind))) print(kind, of(rows, "kind", kind));
    for (const language of distinct(texts.map((text) => text.language)))
      print(language, of(rows, "language", language));
  }
  timeLongText();
}

function of(rows: readonly Row[], field: "half" | "kind" | "language", value: string): readonly Row[] {
  return rows.filter(({ text }) => text[field] === value);
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

function print(name: string, rows: readonly Row[]): void {
  const parts = SUMMARIZERS.map((summarizer) => {
    const figures = (["rouge1", "rouge2", "rougeL"] as const).map((of) =>
      mean(rows.map(({ scores }) => scores[summarizer][of])).toFixed(3),
    );
    return `${summarizer} ${figures.join(" / ")}`;
  });
  const gains = rows.map(({ text, scores }) => ({
    document: text.document,
    gain: scores.textRank.rouge1 - scores.extractive.rouge1,
  }));
  const better = `textRank better for ${gains.filter(({ gain }) => gain > 0).length} of ${rows.length}`;
  const gain = `ROUGE-1 of textRank over extractive ${signed(mean(gains.map((one) => one.gain)))}${intervalOf(gains)}`;
  console.log(`  ${name} (${rows.length}): ${[...parts, gain, better].join(", ")}`);
}

/**
 * The 95 % interval of the mean, by resampling documents, because a second language of a document adds little
 * information.
 */
function intervalOf(gains: readonly { readonly document: string; readonly gain: number }[]): string {
  const documents = [...Map.groupBy(gains, ({ document }) => document).values()];
  if (documents.length < MIN_DOCUMENTS) return "";
  const random = createRandom("bootstrap");
  const draw = () => documents[Math.floor(random() * documents.length)] ?? [];
  const means = Array.from({ length: BOOTSTRAPS }, () => mean(documents.flatMap(draw).map(({ gain }) => gain)));
  const sorted = means.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (BOOTSTRAPS - 1))] ?? 0;
  return ` (${signed(at(0.025))} to ${signed(at(0.975))})`;
}

/** Compared with the time for segmenting its words alone, in alternating rounds. */
function timeLongText(): void {
  const text = longText(EXTRACTIVE_LIMITS.maxCharacters);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const wordsMs = timeOf(() => {
      for (const { isWordLike } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) void isWordLike;
    });
    return { wordsMs, summaryMs: timeOf(() => void summarizeText({ text, maxSentences: 10 })) };
  });
  const ms = format(spreadOf(rounds.map(({ summaryMs }) => summaryMs)), 0);
  const ratio = format(spreadOf(rounds.map(({ wordsMs, summaryMs }) => summaryMs / wordsMs)), 1);
  console.log(`\na text of ${text.length} characters: ${ms} ms, ${ratio} of segmenting its words alone`);
}

function timeOf(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

import { readTexts, type SummarizedText } from "./read-texts.ts";
import type { Rouge } from "./rouge.ts";
import { createRandom, type Summarizer, summariesOf } from "./summaries-of.ts";

interface Row {
  readonly text: SummarizedText;
  readonly scores: Readonly<Record<Summarizer, Rouge>>;
}

const SUMMARIZERS: readonly Summarizer[] = ["extractive", "lead", "leadOfSameLength", "random"];
const BOOTSTRAPS = 2_000;

/** Prints how near the extractive mode of text_summarizer and simple baselines come to the abstracts of texts. */
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
  const gains = rows.map(({ scores }) => scores.extractive.rouge1 - scores.lead.rouge1);
  const [low, high] = intervalOf(gains);
  const gain = `ROUGE-1 over lead ${signed(mean(gains))} (${signed(low)} to ${signed(high)})`;
  const wins = gains.filter((one) => one > 0).length;
  console.log(`  ${name} (${rows.length}): ${[...parts, gain].join(", ")}, better for ${wins} of ${rows.length}`);
}

/** Of the mean, 95 %, by drawing texts anew. */
function intervalOf(values: readonly number[]): readonly [number, number] {
  const random = createRandom("bootstrap");
  const draw = () => values[Math.floor(random() * values.length)] ?? 0;
  const means = Array.from({ length: BOOTSTRAPS }, () => mean(values.map(draw))).sort((one, other) => one - other);
  const at = (share: number) => means[Math.floor(share * (BOOTSTRAPS - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

import { createDocumentReader } from "@yagate/builtins/web/reading/document-reader";
import { measureExtraction, type PageMeasured } from "./measure-extraction.ts";
import type { TokenScore } from "./token-f1.ts";

/** Compares how well our reader and Readability alone extract the text of saved pages. */
export async function benchExtraction(): Promise<void> {
  const reader = createDocumentReader();
  const measured = await measureExtraction(reader).finally(() => reader.close());

  console.log(`\nExtraction, ${measured.length} saved pages: F1 of words (precision, recall)`);
  console.log(`  ${"page".padEnd(28)} ${"kind".padEnd(28)} ${"ours".padEnd(20)} Readability alone`);
  for (const { page, ours, readability } of measured) {
    console.log(
      `  ${page.id.padEnd(28)} ${page.kind.join(" ").padEnd(28)} ${line(ours).padEnd(20)} ${line(readability)}`,
    );
  }
  const print = (label: string, figure: (scores: readonly number[]) => number) =>
    console.log(
      `  ${label.padEnd(57)} ${figure(of(measured, "ours")).toFixed(3).padEnd(20)} ${figure(of(measured, "readability")).toFixed(3)}`,
    );
  print("mean", mean);
  print("median", median);
  print("worst", (scores) => Math.min(...scores));
  console.log(`  ours is better by more than 0.01 on ${better(measured)}, worse on ${worse(measured)}`);
}

/** The F1 of each page. */
function of(measured: readonly PageMeasured[], who: "ours" | "readability"): readonly number[] {
  return measured.map((one) => one[who].f1);
}

function better(measured: readonly PageMeasured[]): number {
  return measured.filter(({ ours, readability }) => ours.f1 > readability.f1 + 0.01).length;
}

function worse(measured: readonly PageMeasured[]): number {
  return measured.filter(({ ours, readability }) => ours.f1 < readability.f1 - 0.01).length;
}

function line({ precision, recall, f1 }: TokenScore): string {
  return `${f1.toFixed(3)} (${precision.toFixed(2)}, ${recall.toFixed(2)})`;
}

function mean(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function median(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const above = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? above : (above + (sorted[middle - 1] ?? 0)) / 2;
}

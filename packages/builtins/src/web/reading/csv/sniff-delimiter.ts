const CANDIDATES = [",", ";", "\t", "|"] as const;
const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_LINES = 20;

/**
 * Detects the delimiter: the character outside quotes that occurs most often, and equally often in each of the first
 * lines.
 */
export function sniffDelimiter(text: string, contentType: string | undefined): string {
  if (/tab-separated-values/i.test(contentType ?? "")) return "\t";
  const lines = linesOf(text.slice(0, SAMPLE_CHARACTERS));
  let best: { readonly delimiter: string; readonly score: number } = { delimiter: ",", score: 0 };
  for (const delimiter of CANDIDATES) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const usual = counts[0] ?? 0;
    const same = counts.filter((count) => count === usual).length;
    const score = usual === 0 ? 0 : (same / counts.length) * 1_000 + Math.min(usual, 500);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Returns the first lines, without quoted values. */
function linesOf(sample: string): readonly string[] {
  const bare = sample.replace(/"[^"]*"/g, "");
  return bare
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES);
}

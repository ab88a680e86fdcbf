/** A line of a difference: kept, removed or added. */
export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Maximum number of cells of the table of common lines. Beyond it, all lines count as replaced. */
const MAX_CELLS = 4_000_000;
const CONTEXT = 2;

/** Compares two texts line by line. The removed and the added lines each keep their order. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = commonLength(before, after);
  const end = commonLength(before.slice(start).toReversed(), after.slice(start).toReversed());
  const kept = (lines: readonly string[]) => lines.map((text): DiffLine => ({ mark: " ", text }));
  return [
    ...kept(before.slice(0, start)),
    ...diffMiddles(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...kept(before.slice(before.length - end)),
  ];
}

function commonLength(before: readonly string[], after: readonly string[]): number {
  const different = before.findIndex((line, index) => line !== after[index]);
  return different === -1 ? before.length : different;
}

function diffMiddles(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return replaced(before, after);
  // `common[i * width + j]` is the length of the longest common subsequence of `before[i…]` and `after[j…]`.
  const common = new Uint32Array((before.length + 1) * width);
  const lengthAt = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      lines.push({ mark: " ", text: old });
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (next === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i += 1;
    } else if (next !== undefined) {
      lines.push({ mark: "+", text: next });
      j += 1;
    }
  }
  return lines;
}

function replaced(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  return [
    ...before.map((text): DiffLine => ({ mark: "-", text })),
    ...after.map((text): DiffLine => ({ mark: "+", text })),
  ];
}

/** Drops kept lines that are more than two lines away from every change. A gap is one kept line `…`. */
export function withoutDistantLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === " " ? [] : [index]));
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * CONTEXT + 1 }, (_, i) => at - CONTEXT + i)));
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (near.has(index)) return [line];
    return index > 0 && !near.has(index - 1) ? [] : [{ mark: " ", text: "…" }];
  });
}

/** A line of a comparison: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Longer texts are compared as a whole: the table of the comparison grows with the product of their lengths. */
const MOST_LINES = 2_000;

/** Compares two texts line by line: the fewest removed and added lines that lead from one to the other. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const same = (lines: readonly string[]) => lines.map((text) => ({ kind: "same", text }) as const);
  const middle = diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const removed = before.map((text) => ({ kind: "removed", text }) as const);
  const added = after.map((text) => ({ kind: "added", text }) as const);
  if (before.length === 0 || after.length === 0 || before.length + after.length > MOST_LINES) {
    return [...removed, ...added];
  }
  // longest[i][j]: the most common lines of what follows i and j.
  const width = after.length + 1;
  const longest = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const next = (longest[(i + 1) * width + j + 1] ?? 0) + 1;
      const either = Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
      longest[i * width + j] = before[i] === after[j] ? next : either;
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const isSame = i < before.length && j < after.length && before[i] === after[j];
    const isRemoval = i < before.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0);
    if (isSame) {
      lines.push({ kind: "same", text: before[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= after.length || isRemoval) {
      lines.push({ kind: "removed", text: before[i] ?? "" });
      i += 1;
    } else {
      lines.push({ kind: "added", text: after[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}

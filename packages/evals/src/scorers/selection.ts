/** How well the chosen tools match the expected ones, counted by calls. */
export interface Selection {
  /** The share of calls whose tool was expected. */
  readonly precision: number;
  /** The share of expected calls whose tool was called. */
  readonly recall: number;
}

/** Compares the names of calls. If there are neither calls nor expected calls, both shares are 1. */
export function scoreSelection(expected: readonly string[], made: readonly string[]): Selection {
  const left = new Map<string, number>();
  for (const name of expected) left.set(name, (left.get(name) ?? 0) + 1);
  let common = 0;
  for (const name of made) {
    const count = left.get(name) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(name, count - 1);
  }
  const none = expected.length === 0 ? 1 : 0;
  return {
    precision: made.length === 0 ? none : common / made.length,
    recall: expected.length === 0 ? 1 : common / expected.length,
  };
}

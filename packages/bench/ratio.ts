import { format, type Spread, spreadOf } from "./spread.ts";

const RESAMPLES = 2_000;
const LOW = 0.05;
const HIGH = 0.95;

/**
 * The median ratio of paired figures with its 90 % interval: the bootstrap of the median over pairs.
 *
 * @param ours - one figure per round.
 * @param theirs - the figures of the same rounds.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const ratios = ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN));
  const medians = Array.from({ length: RESAMPLES }, () => spreadOf(ratios.map(() => drawn(ratios))).median).sort(
    (left, right) => left - right,
  );
  const at = (share: number) => medians[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return { median: spreadOf(ratios).median, least: at(LOW), most: at(HIGH) };
}

function drawn(values: readonly number[]): number {
  return values[Math.floor(Math.random() * values.length)] ?? Number.NaN;
}

/** Prints one line of a benchmark: the label, the middle, and the range in brackets. */
export function printSpread(label: string, spread: Spread, digits?: number): void {
  console.log(`  ${label.padEnd(64)} ${format(spread, digits)}`);
}

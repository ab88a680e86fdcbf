import { expect, it } from "vitest";
import { growthOf, type Sample } from "../soak/growth.ts";

/** Values around a line; the noise is the same each time, and no line itself. */
function samplesOf(slope: number, noise: (index: number) => number): readonly Sample[] {
  return Array.from({ length: 45 }, (_, index) => ({
    done: index * 4_000,
    value: 1e8 + slope * index * 4_000 + noise(index),
  }));
}

const jagged = (index: number) => ((index * 7_919) % 101) * 10_000;
const slowWave = (index: number) => Math.sin(index / 6) * 500_000;

it("a line without noise is its slope", () => {
  const { slope, low, high } = growthOf(samplesOf(100, () => 0));
  expect([slope, low, high]).toEqual([expect.closeTo(100), expect.closeTo(100), expect.closeTo(100)]);
});

it.each([
  ["jagged", jagged],
  ["a slow wave", slowWave],
])("the interval holds the slope where the noise is %s", (_name, noise) => {
  for (const slope of [0, 100]) {
    const { low, high } = growthOf(samplesOf(slope, noise));
    expect(low).toBeLessThan(slope);
    expect(high).toBeGreaterThan(slope);
  }
});

it("noise whose neighbours are alike makes it wider than the same noise shuffled", () => {
  const waves = samplesOf(0, slowWave).map(({ value }) => value);
  const shuffled = samplesOf(0, (index) => (waves[(index * 17) % waves.length] ?? 0) - 1e8);
  const width = (samples: readonly Sample[]) => growthOf(samples).high - growthOf(samples).low;
  expect(width(samplesOf(0, slowWave))).toBeGreaterThan(2 * width(shuffled));
});

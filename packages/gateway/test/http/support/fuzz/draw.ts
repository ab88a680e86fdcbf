import fc from "fast-check";

/** Draws a value; the same seed draws the same values in the same order. */
export type Draw = <Value>(arbitrary: fc.Arbitrary<Value>) => Value;

export function createDraw(seed: number): Draw {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (generate === undefined) throw new Error("expected a generator");
  return (arbitrary) => generate(() => arbitrary);
}

/** True so many times of 100. */
export function happens(draw: Draw, percent: number): boolean {
  return draw(fc.noBias(fc.nat(99))) < percent;
}

export function pick<Value>(draw: Draw, values: readonly Value[]): Value {
  const value = values[draw(fc.noBias(fc.nat(Math.max(0, values.length - 1))))];
  if (value === undefined) throw new Error("expected values to pick from");
  return value;
}

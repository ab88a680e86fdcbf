/** A measured value, with the amount of work done before it. */
export interface Sample {
  readonly done: number;
  readonly value: number;
}

/** The growth of a value per unit of work, with its 95 % interval. */
export interface Growth {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Of the normal distribution: 95 % lie within. There are dozens of samples, so Student's distribution is hardly wider.
 */
const WITHIN_95 = 1.96;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * The straight line through the samples by least squares. The residuals of neighbouring samples are correlated, because
 * a heap grows and shrinks, so the interval is widened by their autocorrelation.
 *
 * @param samples - at least 3, in their order.
 */
export function growthOf(samples: readonly Sample[]): Growth {
  const count = samples.length;
  const meanDone = sum(samples.map(({ done }) => done)) / count;
  const meanValue = sum(samples.map(({ value }) => value)) / count;
  const spread = sum(samples.map(({ done }) => (done - meanDone) ** 2));
  const slope = sum(samples.map(({ done, value }) => (done - meanDone) * (value - meanValue))) / spread;
  const rest = samples.map(({ done, value }) => value - meanValue - slope * (done - meanDone));
  const squares = sum(rest.map((value) => value ** 2));
  const alike = squares === 0 ? 0 : sum(rest.slice(1).map((value, index) => value * (rest[index] ?? 0))) / squares;
  const widening = Math.sqrt((1 + Math.max(0, alike)) / (1 - Math.max(0, alike)));
  const half = WITHIN_95 * Math.sqrt(squares / (count - 2) / spread) * widening;
  return { slope, low: slope - half, high: slope + half };
}

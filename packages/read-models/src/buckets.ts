/** Ratio of the bounds of a bucket: a percentile differs by at most 5% from the exact one. */
const RATIO = 1.1;
const LOG_RATIO = Math.log(RATIO);
/** Shorter durations share a bucket. */
const LEAST_MS = 0.01;
/** The bucket of durations up to {@link LEAST_MS}. */
const LEAST_BUCKET = bucketOf(LEAST_MS);

/** Returns the bucket of a duration, on a logarithmic scale. @param ms - at least 0. */
export function bucketOf(ms: number): number {
  return Math.ceil(Math.log(Math.max(ms, LEAST_MS)) / LOG_RATIO);
}

/** Returns the duration that a bucket stands for, in ms. */
export function durationOf(bucket: number): number {
  return bucket <= LEAST_BUCKET ? 0 : (2 * RATIO ** bucket) / (RATIO + 1);
}

/** How often each value occurs. */
export type Occurrences = ReadonlyMap<number, number>;

/** A summary of a distribution. */
export type DistributionSummary = {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

/** Summarises a distribution. @param occurrences - of buckets. @param toValue - returns the value of a bucket. */
export function summarise(occurrences: Occurrences, toValue: (bucket: number) => number): DistributionSummary {
  const sorted = [...occurrences].toSorted(([left], [right]) => left - right);
  const count = sorted.reduce((sum, [, times]) => sum + times, 0);
  const sum = sorted.reduce((total, [bucket, times]) => total + toValue(bucket) * times, 0);
  const percentile = (share: number) => {
    const rank = Math.ceil(count * share);
    let seen = 0;
    for (const [bucket, times] of sorted) {
      seen += times;
      if (seen >= rank) return rounded(toValue(bucket));
    }
    return 0;
  };
  return {
    count,
    mean: count === 0 ? 0 : rounded(sum / count),
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  };
}

const rounded = (value: number) => Number(value.toPrecision(6));

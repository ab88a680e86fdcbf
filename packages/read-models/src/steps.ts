import type { MetricRangeName } from "@yagate/protocol";

const HOUR_SECONDS = 3_600;
const FINE_SECONDS = 300;
const HOUR_MS = HOUR_SECONDS * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** A step length, and how long its points are kept. */
export interface StepKind {
  readonly seconds: number;
  readonly keptMs: number;
}

/** Points are stored per hour. Those of the last hours are also stored per 5 minutes, for the shortest range. */
export const STEPS: readonly StepKind[] = [
  { seconds: FINE_SECONDS, keptMs: 3 * HOUR_MS },
  { seconds: HOUR_SECONDS, keptMs: 31 * DAY_MS },
];

interface RangeKind {
  readonly stepSeconds: number;
  readonly lengthMs: number;
}

export const RANGES: Readonly<Record<MetricRangeName, RangeKind>> = {
  "1h": { stepSeconds: FINE_SECONDS, lengthMs: HOUR_MS },
  "24h": { stepSeconds: HOUR_SECONDS, lengthMs: DAY_MS },
  "7d": { stepSeconds: HOUR_SECONDS, lengthMs: 7 * DAY_MS },
};

/** Returns the start of the step that contains a time. @param at - ms since the epoch. */
export function startOfStep(at: number, seconds: number): number {
  const ms = seconds * 1_000;
  return Math.floor(at / ms) * ms;
}

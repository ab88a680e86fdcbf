import type { Scenario } from "./simulate.ts";

const COMMON = { workspaces: 1_000, databaseCores: 16, roundTripMs: 0.5, handlerMs: 200, seed: 1 };

/** What docs/scale-measurements.md looks into: from one replica to a thousand on one database. */
export const SCENARIOS: readonly Scenario[] = [
  { ...COMMON, replicas: 1, perSecond: 12, seconds: 60 },
  { ...COMMON, replicas: 2, perSecond: 60, seconds: 60 },
  { ...COMMON, replicas: 3, perSecond: 600, seconds: 10 },
  { ...COMMON, replicas: 5, perSecond: 3_000, seconds: 5 },
  { ...COMMON, replicas: 10, perSecond: 6_000, seconds: 5 },
  { ...COMMON, replicas: 30, perSecond: 6_000, seconds: 5 },
  { ...COMMON, replicas: 100, perSecond: 600, seconds: 10 },
  { ...COMMON, replicas: 100, perSecond: 6_000, seconds: 5 },
  { ...COMMON, replicas: 1_000, perSecond: 600, seconds: 5 },
];

/** One of three replicas ends in the middle. */
export const KILLED: Scenario = { ...COMMON, replicas: 3, perSecond: 60, seconds: 40, killAtSeconds: 10 };

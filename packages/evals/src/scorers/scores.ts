import type { ShareScore } from "../cases/case-schema.ts";

/**
 * The scores of a run or the means of several. A score is absent if there is nothing to judge, such as `recovery`
 * without a failed call.
 */
export type Scores = Partial<Record<ShareScore | MeasuredScore, number>>;

/** Measured values: US dollars, tokens, milliseconds, and tool calls per model turn that called tools. */
export const MEASURED_SCORES = ["cost_usd", "tokens", "latency_ms", "parallelism"] as const;
export type MeasuredScore = (typeof MEASURED_SCORES)[number];

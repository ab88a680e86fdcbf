import type { ConformanceCase } from "./conformance-case.ts";
import { type Finding, notJudged } from "./finding.ts";
import type { Probe } from "./probe.ts";

/** The outcome of one case. */
export interface CaseResult {
  readonly case: ConformanceCase;
  readonly finding: Finding;
  readonly tookMs: number;
}

/**
 * Runs the cases one after another, so that they cannot affect each other.
 *
 * @param ended - aborted at the time limit of the complete run; the remaining cases are not judged.
 * @param onProgress - called before each case.
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  probe: Probe,
  ended: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of cases) {
    onProgress(results.length);
    const startedAt = performance.now();
    const finding = await runCase(each, probe, ended);
    results.push({ case: each, finding, tookMs: Math.round(performance.now() - startedAt) });
  }
  return results;
}

async function runCase(each: ConformanceCase, probe: Probe, ended: AbortSignal): Promise<Finding> {
  try {
    return await each.run(probe);
  } catch (error) {
    if (ended.aborted) return notJudged("the time limit of the run was reached: see --timeout");
    throw error;
  }
}

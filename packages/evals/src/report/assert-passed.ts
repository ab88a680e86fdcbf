import { reasonsOf } from "./reasons.ts";
import type { EvalReport } from "./report-schema.ts";

/**
 * Checks that all cases of a report passed. For tests with Vitest, Jest or `node:test`.
 *
 * @throws Error that names each case that did not pass, with the reasons.
 */
export function assertPassed({ cases }: Pick<EvalReport, "cases">): void {
  const open = cases.filter(({ outcome }) => outcome !== "passed");
  if (open.length === 0) return;
  const lines = open.flatMap((one) => [
    `${one.caseId} ${one.outcome}`,
    ...reasonsOf(one).map((reason) => `  ${reason}`),
  ]);
  throw new Error(`${open.length} of ${cases.length} cases did not pass\n${lines.join("\n")}`);
}

import type { CaseReport } from "./report-schema.ts";

/** Returns why a case did not pass, with each reason once: what its checks found, and why runs have no verdict. */
export function reasonsOf({ runs, outcome }: CaseReport): readonly string[] {
  if (outcome === "skipped") return ["skipped, because the cost limit was reached"];
  const found = runs.flatMap(({ checks, error }) => [
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    ...checks.filter(({ passed }) => !passed).map(({ check, reason }) => `${check}: ${reason}`),
  ]);
  return [...new Set(found)];
}

import { allCases } from "../../src/conformance/all-cases.ts";
import type { ConformanceCase } from "../../src/conformance/conformance-case.ts";
import type { ProbeSettings } from "../../src/conformance/probe.ts";
import type { ConformanceReport } from "../../src/conformance/report/conformance-report.ts";
import { runConformance } from "../../src/conformance/run-conformance.ts";
import { SECRET } from "./signed-request.ts";

/** Runs the cases, every one by default, against a handler on this machine, with no more waiting than a test needs. */
export function judged(
  url: string,
  changes: Partial<ProbeSettings> = {},
  counterUrl?: string,
  cases?: readonly ConformanceCase[],
): Promise<ConformanceReport> {
  const settings: ProbeSettings = {
    target: new URL(url),
    secret: SECRET,
    tool: "ping",
    parameters: {},
    flaky: { tool: "flaky", parameters: {} },
    audience: url,
    isAudienceChecked: false,
    toleranceSeconds: 300,
    isAnswerSignatureRequired: false,
    answerTimeoutMs: 2_000,
    slowBodyMs: 100,
    isSlowBodyJudged: false,
    now: Date.now,
    ...changes,
  };
  const ended = AbortSignal.timeout(60_000);
  const counter = counterUrl === undefined ? undefined : new URL(counterUrl);
  const chosen = cases ?? allCases(settings.isAnswerSignatureRequired);
  return runConformance(chosen, settings, { ended, counterUrl: counter });
}

/** The ids of the cases that failed, of one level. */
export function failedIds({ cases }: ConformanceReport, level: "required" | "recommended"): readonly string[] {
  return cases.filter((each) => each.outcome === "fail" && each.level === level).map(({ id }) => id);
}

import type { ConformanceCase } from "./conformance-case.ts";
import { countAtUrl } from "./count-at-url.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { Probe, type ProbeSettings } from "./probe.ts";
import { type ConformanceReport, toConformanceReport } from "./report/conformance-report.ts";
import { runCases } from "./run-cases.ts";
import type { RunCounter } from "./run-counter.ts";

/** Limits and callbacks of a run. */
export interface RunOptions {
  /** Returns how often the tool has run. */
  readonly counterUrl?: URL | undefined;
  /** Aborting this signal ends the run: the remaining cases are not judged. */
  readonly ended: AbortSignal;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Checks whether the handler can be judged, then runs the cases.
 *
 * @throws YagateError if it cannot be judged.
 */
export async function runConformance(
  cases: readonly ConformanceCase[],
  settings: ProbeSettings,
  { counterUrl, ended, onProgress }: RunOptions,
): Promise<ConformanceReport> {
  const startedAt = new Date(settings.now());
  const first = await preflight(new Probe(settings, NOBODY_COUNTS, ended));
  const counter = toCounter(first, counterUrl);
  await counter.read?.();
  const results = await runCases(cases, new Probe(settings, counter, ended), ended, onProgress);
  return toConformanceReport(results, {
    target: settings.target.origin + settings.target.pathname,
    tool: settings.tool,
    startedAt: startedAt.toISOString(),
    tookMs: settings.now() - startedAt.getTime(),
    runsSeenBy: counter.description,
    notes: first.notes,
  });
}

const NOBODY_COUNTS: RunCounter = {
  description: "not counted",
  isResultUnique: false,
  genuine: { hasResult: false, isSigned: false },
};

function toCounter({ isResultUnique, genuine }: Preflight, counterUrl: URL | undefined): RunCounter {
  const told = { isResultUnique, genuine };
  if (counterUrl !== undefined) {
    return { ...told, description: "counted by the number at --counter-url", read: () => countAtUrl(counterUrl) };
  }
  return {
    ...told,
    description: isResultUnique
      ? "counted by the tool's result, which differs each time"
      : "not counted, because every run gives the same result",
  };
}

import { glob, writeFile } from "node:fs/promises";
import {
  type CaseReport,
  type Comparison,
  compareReports,
  type EvalCase,
  type EvalReport,
  evalReportSchema,
  readCases,
  runEvals,
  toJunit,
  toMarkdown,
} from "@yagate/evals";
import { toFieldErrors, toVisibleLine, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readJson } from "../read-text.ts";
import { wholeNumberOf } from "../whole-number.ts";
import { printReport } from "./print-report.ts";
import { stopSignal } from "./stop-signal.ts";

export interface EvalOptions {
  readonly case?: readonly string[];
  readonly tag?: readonly string[];
  readonly replay?: boolean;
  readonly live?: boolean;
  readonly record?: boolean;
  readonly withInput?: boolean;
  readonly concurrency?: string;
  readonly maxCost?: string;
  readonly judge?: string;
  readonly baseline?: string;
  readonly threshold?: string;
  readonly output?: string;
  readonly junit?: string;
  readonly markdown?: string;
}

/**
 * Runs cases and prints the report. The exit status is 1 unless all cases passed or, with a baseline, nothing is worse.
 */
export async function evaluate(
  invocation: Invocation,
  patterns: readonly string[],
  options: EvalOptions,
): Promise<void> {
  const { output } = invocation;
  const settings = settingsOf(options);
  const cases = chooseCases(await readCases(...(await expand(patterns))), options);
  const threshold = numberOf(options.threshold ?? "0", "--threshold", 1);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const client = await invocation.client();
  const stop = stopSignal(invocation.timeoutMs);
  try {
    const { signal } = stop;
    const report = await runEvals(cases, { ...settings, client, signal, onCase: progressOf(invocation) });
    const comparison = baseline === undefined ? undefined : compareReports(report, baseline, threshold);
    const document = comparison === undefined ? report : { ...report, comparison };
    await writeReports(options, report, comparison);
    output.result(document, () => printReport(report, comparison));
    process.exitCode = statusOf(report, comparison);
  } catch (error) {
    if (stop.status === undefined) throw error;
    process.exitCode = stop.status;
  } finally {
    stop.close();
  }
}

function settingsOf(options: EvalOptions) {
  const { judge, withInput } = options;
  const modes = (["replay", "live", "record"] as const).filter((name) => options[name] === true);
  const [mode = "auto" as const, other] = modes;
  if (other !== undefined) throw new YagateError("INVALID_REQUEST", `expected only one of --${mode} and --${other}`);
  if (withInput === true && mode !== "record") {
    throw new YagateError("INVALID_REQUEST", "expected --record with --with-input");
  }
  const concurrency =
    options.concurrency === undefined
      ? undefined
      : wholeNumberOf(options.concurrency, "--concurrency", { min: 1, max: 64 });
  const maxCostUsd = options.maxCost === undefined ? undefined : numberOf(options.maxCost, "--max-cost");
  return { mode, concurrency, maxCostUsd, judge, withInput };
}

/** Files with agents, which are in the same folders as those with cases. */
const AGENT_FILE = /\.agent\.(?:json|ya?ml)$/i;

async function expand(patterns: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const found: string[] = [];
    for await (const file of glob(pattern)) if (!AGENT_FILE.test(file)) found.push(file.replaceAll("\\", "/"));
    if (found.length === 0) throw new YagateError("INVALID_REQUEST", `no file matches ${pattern}`);
    for (const file of found.toSorted()) files.add(file);
  }
  return [...files];
}

function chooseCases(cases: readonly EvalCase[], { case: ids, tag: tags }: EvalOptions): readonly EvalCase[] {
  const unknown = ids?.find((id) => !cases.some(({ case_id }) => case_id === id));
  if (unknown !== undefined) throw new YagateError("INVALID_REQUEST", `--case: no case has the id ${unknown}`);
  const chosen = cases.filter(
    (one) =>
      (ids === undefined || ids.includes(one.case_id)) &&
      (tags === undefined || tags.some((tag) => one.tags?.includes(tag) === true)),
  );
  if (chosen.length === 0) throw new YagateError("INVALID_REQUEST", "no case has one of the tags of --tag");
  return chosen;
}

function numberOf(text: string, option: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  const range = most === 1 ? "a number from 0 to 1" : "a number such as 0.5";
  throw new YagateError("INVALID_REQUEST", `expected ${option} to be ${range}`);
}

async function readBaseline(file: string): Promise<EvalReport> {
  const parsed = evalReportSchema.safeParse(await readJson(file));
  if (parsed.success) return parsed.data;
  const [problem = { path: "", message: "" }] = toFieldErrors(parsed.error);
  throw new YagateError("INVALID_REQUEST", `--baseline: ${problem.path}: ${problem.message}`, {
    hint: "use a report that yagate eval --output wrote",
  });
}

async function writeReports(options: EvalOptions, report: EvalReport, comparison: Comparison | undefined) {
  if (options.output !== undefined) await writeFile(options.output, `${JSON.stringify(report, null, 2)}\n`);
  if (options.junit !== undefined) await writeFile(options.junit, toJunit(report));
  if (options.markdown !== undefined) await writeFile(options.markdown, toMarkdown(report, comparison));
}

function progressOf({ output, globals: { quiet = false } }: Invocation) {
  return ({ caseId, outcome }: CaseReport, { done, total }: { readonly done: number; readonly total: number }) => {
    const line = `${done} of ${total}: ${caseId} ${outcome}`;
    if (process.stderr.isTTY !== true) output.note(toVisibleLine(line));
    else if (!quiet) process.stderr.write(done < total ? `\r\u001b[K${toVisibleLine(line)}` : "\r\u001b[K");
  };
}

function statusOf({ summary }: EvalReport, comparison: Comparison | undefined): number {
  if (comparison === undefined) return summary.passed === summary.cases ? EXIT.done : EXIT.answerIsNo;
  const isWorse = comparison.regressions.length + comparison.newFailures.length > 0;
  return isWorse ? EXIT.answerIsNo : EXIT.done;
}

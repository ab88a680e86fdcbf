import { ApiError, type Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import { createAgentResolver } from "../agents/agent-resolver.ts";
import type { EvalCase } from "../cases/eval-case.ts";
import { cassettePath, readCassette } from "../cassettes/cassette.ts";
import { recordCassette } from "../cassettes/record-cassette.ts";
import { buildReport, meanScores } from "../report/build-report.ts";
import type { CaseReport, EvalReport, Outcome, ReportedRun } from "../report/report-schema.ts";
import { type RunContext, runCase } from "./run-case.ts";

/**
 * Where runs take replies and results from.
 *
 * - `auto`: from the cassette of a case, if it has one; else live.
 * - `replay`: from cassettes only. A case without one is an error.
 * - `live`: never from cassettes.
 * - `record`: live and once, even if the case has `repeat`, and each run becomes the cassette of its case.
 */
export type RunMode = "auto" | "replay" | "live" | "record";

/** Options for {@link runEvals}. */
export interface RunOptions {
  readonly client: Yagate;
  /** Default: `auto`. */
  readonly mode?: RunMode | undefined;
  /** Number of runs at the same time, 1 to 64. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Maximum cost in US dollars. When the runs have reached it, the remaining cases are skipped. Default: no limit. */
  readonly maxCostUsd?: number | undefined;
  /** The id or name of the agent that judges `llm-rubric` assertions of cases that name none. */
  readonly judge?: string | undefined;
  /** Whether new cassettes contain the input, the caller and the metadata. Default: false. */
  readonly withInput?: boolean | undefined;
  /** Aborting this signal cancels the executions and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each case. */
  readonly onCase?:
    | ((report: CaseReport, progress: { readonly done: number; readonly total: number }) => void)
    | undefined;
}

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 64;

/** Errors after which no other case can succeed. */
const ENDS_ALL: ReadonlySet<string> = new Set(["CONNECTION_FAILED", "UNAUTHENTICATED", "FORBIDDEN", "NOT_CONFIGURED"]);

/**
 * Runs cases against a gateway and judges them. Resolves with a report even if cases fail: see `summary`. The order of
 * the report is that of the cases.
 *
 * @throws YagateError if the gateway can't be reached or rejects the API key, and for invalid options.
 */
export async function runEvals(cases: readonly EvalCase[], options: RunOptions): Promise<EvalReport> {
  const { client, mode = "auto", concurrency = DEFAULT_CONCURRENCY, maxCostUsd, judge, onCase } = options;
  const { withInput = false } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new YagateError("INVALID_REQUEST", `expected concurrency to be a whole number from 1 to ${MAX_CONCURRENCY}`);
  }
  const started = Date.now();
  const agents = createAgentResolver(client);
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, options.signal]);
  const budget = new CostBudget(maxCostUsd);
  const reports: (CaseReport | undefined)[] = cases.map(() => undefined);
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const one = cases[at];
      if (one === undefined) return;
      const report = await reportOf(one, { client, agents, judge, signal, mode, budget, withInput });
      reports[at] = report;
      onCase?.(report, { done: ++done, total: cases.length });
    }
  };
  try {
    const workers = Array.from({ length: Math.min(concurrency, cases.length) }, work);
    await Promise.all(workers).catch(async (error: unknown) => {
      ended.abort(error);
      await Promise.allSettled(workers);
      throw options.signal?.aborted === true ? options.signal.reason : error;
    });
  } finally {
    await agents.close();
  }
  return buildReport(
    reports.flatMap((report) => report ?? []),
    {
      startedAt: new Date(started).toISOString(),
      tookMs: Date.now() - started,
      costUsd: budget.usedUsd,
      ...(budget.hasRefused && maxCostUsd !== undefined ? { costLimitUsd: maxCostUsd } : {}),
    },
  );
}

/** What the runs have cost so far. */
class CostBudget {
  usedUsd = 0;
  hasRefused = false;
  readonly #maxUsd: number | undefined;

  constructor(maxUsd: number | undefined) {
    this.#maxUsd = maxUsd;
  }

  /** Whether another run may start. */
  allowsRun(): boolean {
    const isAllowed = this.#maxUsd === undefined || this.usedUsd < this.#maxUsd;
    if (!isAllowed) this.hasRefused = true;
    return isAllowed;
  }
}

interface CaseContext extends RunContext {
  readonly mode: RunMode;
  readonly budget: CostBudget;
  readonly withInput: boolean;
}

async function reportOf(one: EvalCase, context: CaseContext): Promise<CaseReport> {
  const { case_id: caseId, file, line, tags = [] } = one;
  const runs = await runsOf(one, context);
  return {
    caseId,
    ...defined({ file, line }),
    tags,
    outcome: worst(runs),
    scores: meanScores(runs.flatMap(({ scores, error }) => (error === undefined ? [scores] : []))),
    runs: [...runs],
  };
}

async function runsOf(one: EvalCase, context: CaseContext): Promise<readonly ReportedRun[]> {
  const { mode, budget } = context;
  const started = Date.now();
  try {
    const cassette = mode === "live" || mode === "record" ? undefined : await readCassette(one);
    if (mode === "replay" && cassette === undefined) {
      throw new YagateError("INVALID_REQUEST", `expected a cassette: ${cassettePath(one)}`, {
        hint: "record the case: yagate eval --record",
      });
    }
    // A recording leads to the same run each time.
    const times = cassette === undefined && mode !== "record" ? (one.repeat ?? 1) : 1;
    const runs: ReportedRun[] = [];
    while (runs.length < times) {
      if (!budget.allowsRun()) return runs;
      runs.push(await runOnce(one, context, cassette));
    }
    return runs;
  } catch (error) {
    if (context.signal?.aborted === true) throw error;
    return [errorRun(error, "recorded", started)];
  }
}

async function runOnce(
  one: EvalCase,
  context: CaseContext,
  cassette: Awaited<ReturnType<typeof readCassette>>,
): Promise<ReportedRun> {
  const started = Date.now();
  const mode = cassette === undefined ? "live" : "recorded";
  try {
    const { execution, judgement, judgements, judgeCostUsd } = await runCase(one, context, cassette);
    context.budget.usedUsd += execution.cost.usd + judgeCostUsd;
    if (context.mode === "record") {
      const { client, withInput } = context;
      await recordCassette(client, one, { executionId: execution.id, judgements, withInput });
    }
    const { passed, hasError, checks, scores } = judgement;
    const outcome = passed ? "passed" : hasError ? "error" : "failed";
    return {
      ...{ executionId: execution.id, mode, outcome, checks: checks.map((check) => ({ ...check })), scores },
      tookMs: Date.now() - started,
    };
  } catch (error) {
    if (context.signal?.aborted === true) throw error;
    return errorRun(error, mode, started);
  }
}

function errorRun(error: unknown, mode: ReportedRun["mode"], started: number): ReportedRun {
  if (!YagateError.is(error) || ENDS_ALL.has(error.code)) throw error;
  const code = ApiError.is(error) ? error.rawCode : error.code;
  if (ApiError.is(error) && error.fieldErrors.some((field) => field.code === "AGENT_CHANGED")) {
    const message = "the model, the system prompt or the tools of the agent have changed: record again: --record";
    return failedRun({ code, message }, mode, started);
  }
  const fields = ApiError.is(error) ? error.fieldErrors.map(({ path, message }) => `${path}: ${message}`) : [];
  const told = fields.filter((field) => !error.message.includes(field));
  return failedRun({ code, message: [error.message, ...told].join("; ") }, mode, started);
}

function failedRun(error: NonNullable<ReportedRun["error"]>, mode: ReportedRun["mode"], started: number): ReportedRun {
  return {
    ...{ executionId: null, mode, outcome: "error", checks: [], scores: {}, tookMs: Date.now() - started },
    error,
  };
}

function worst(runs: readonly ReportedRun[]): Outcome {
  const outcomes = new Set(runs.map(({ outcome }) => outcome));
  if (outcomes.has("error")) return "error";
  if (outcomes.has("failed")) return "failed";
  return runs.length === 0 ? "skipped" : "passed";
}

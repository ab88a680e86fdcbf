import * as z from "zod";
import { SHARE_SCORES } from "../cases/case-schema.ts";
import { MEASURED_SCORES } from "../scorers/scores.ts";

const scoresSchema = z.partialRecord(z.enum([...SHARE_SCORES, ...MEASURED_SCORES]), z.number());
const outcomeSchema = z.enum(["passed", "failed", "error", "skipped"]);
export type Outcome = z.infer<typeof outcomeSchema>;

const checkSchema = z.looseObject({
  check: z.string(),
  metric: z.string(),
  passed: z.boolean(),
  score: z.number(),
  weight: z.number(),
  reason: z.string(),
  isError: z.boolean().optional(),
});

const runSchema = z.looseObject({
  executionId: z.string().nullable(),
  /** `recorded`: from a cassette. */
  mode: z.enum(["live", "recorded"]),
  outcome: outcomeSchema,
  checks: z.array(checkSchema),
  scores: scoresSchema,
  tookMs: z.number(),
  /** Why the run has no verdict. */
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});
export type ReportedRun = z.infer<typeof runSchema>;

const caseReportSchema = z.looseObject({
  caseId: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  tags: z.array(z.string()),
  outcome: outcomeSchema,
  /** The means over the runs. */
  scores: scoresSchema,
  runs: z.array(runSchema),
});
export type CaseReport = z.infer<typeof caseReportSchema>;

const groupSchema = z.looseObject({
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  errors: z.int(),
  skipped: z.int(),
  /** The means over the cases that ran. */
  scores: scoresSchema,
});
export type GroupReport = z.infer<typeof groupSchema>;

/** The result of a run of cases, which `yagate eval --json` prints and `--baseline` reads. */
export const evalReportSchema = z.looseObject({
  startedAt: z.string(),
  tookMs: z.number(),
  summary: groupSchema.extend({ runs: z.int(), costUsd: z.number() }),
  /** The mean score of the assertions of each metric. */
  metrics: z.record(z.string(), z.number()),
  tags: z.record(z.string(), groupSchema),
  /** Present if cases were skipped because the cost limit was reached. */
  costLimitUsd: z.number().optional(),
  cases: z.array(caseReportSchema),
  /** How the report differs from a baseline. */
  comparison: z
    .looseObject({
      broken: z.array(z.string()),
      repaired: z.array(z.string()),
      missing: z.array(z.string()),
      newFailures: z.array(z.string()),
      regressions: z.array(z.looseObject({ name: z.string(), before: z.number(), after: z.number() })),
    })
    .optional(),
});
export type EvalReport = z.infer<typeof evalReportSchema>;

export { type CallComparison, type CallExpectation, compareCalls } from "./calls/compare-calls.ts";
export { type MadeCall, madeCalls } from "./calls/made-call.ts";
export type { Assertion } from "./cases/assertion-schema.ts";
export {
  type Budget,
  type CaseDefinition,
  type ExpectedCall,
  type MatchMode,
  type OrderMode,
  SHARE_SCORES,
  type ShareScore,
} from "./cases/case-schema.ts";
export type { EvalCase } from "./cases/eval-case.ts";
export { parseCases } from "./cases/parse-cases.ts";
export { readCases } from "./cases/read-cases.ts";
export {
  type CaseFromExecution,
  caseFromExecution,
  type FromExecutionOptions,
} from "./cassettes/case-from-execution.ts";
export { type Cassette, cassettePath, cassetteSchema } from "./cassettes/cassette.ts";
export { writeCassette } from "./cassettes/write-cassette.ts";
export { assertPassed } from "./report/assert-passed.ts";
export { type Comparison, compareReports, type Regression } from "./report/compare-reports.ts";
export { reasonsOf } from "./report/reasons.ts";
export {
  type CaseReport,
  type EvalReport,
  evalReportSchema,
  type GroupReport,
  type Outcome,
  type ReportedRun,
} from "./report/report-schema.ts";
export { toJunit } from "./report/to-junit.ts";
export { toMarkdown } from "./report/to-markdown.ts";
export { type RunMode, type RunOptions, runEvals } from "./run/run-evals.ts";
export type { Scores } from "./scorers/scores.ts";

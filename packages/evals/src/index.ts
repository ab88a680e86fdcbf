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

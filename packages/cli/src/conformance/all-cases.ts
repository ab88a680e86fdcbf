import { answerCases } from "./cases/answer-cases.ts";
import { audienceCases } from "./cases/audience-cases.ts";
import { bodyCases } from "./cases/body-cases.ts";
import { connectionCases } from "./cases/connection-cases.ts";
import { describeCases } from "./cases/describe-cases.ts";
import { genuineCases } from "./cases/genuine-cases.ts";
import { leakCases } from "./cases/leak-cases.ts";
import { manifestCases } from "./cases/manifest-cases.ts";
import { onceCases } from "./cases/once-cases.ts";
import { parameterCases } from "./cases/parameter-cases.ts";
import { vectorCases } from "./cases/vector-cases.ts";
import { type ConformanceCase, GROUPS } from "./conformance-case.ts";

/** Returns all cases in execution order: by group, with those that inspect all responses last. */
export function allCases(isAnswerSignatureRequired = false): readonly ConformanceCase[] {
  const cases = [
    ...vectorCases(),
    ...genuineCases,
    ...audienceCases,
    ...onceCases,
    ...bodyCases,
    ...connectionCases,
    ...answerCases(isAnswerSignatureRequired),
    ...parameterCases,
    ...describeCases,
    ...manifestCases,
  ];
  const groups = Object.keys(GROUPS);
  const inOrder = cases.toSorted((left, right) => groups.indexOf(left.group) - groups.indexOf(right.group));
  return [...inOrder, ...leakCases];
}

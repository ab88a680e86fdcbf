import type { ContentWarning } from "../web/port.ts";
import type { KeyPoint } from "./model/cited-points.ts";
import type { ModelSummary } from "./model/summarize-with-model.ts";
import type { SummaryRequest } from "./summary-request.ts";
import { countWords } from "./word-count.ts";

/** A summary that the model wrote. */
export interface ModelResult {
  readonly method: "model";
  readonly summary: string;
  readonly keyPoints: readonly KeyPoint[];
  readonly passageCount: number;
  readonly questionCount: number;
  readonly warnings: readonly ContentWarning[];
}

/** Factor by which a summary may exceed the requested length without a warning. */
const TOLERANCE = 1.2;

/** Builds the tool's result from a model's summary, with warnings about statements that need checking. */
export function toModelResult(made: ModelSummary, { maxWords, isModeOverruled }: SummaryRequest): ModelResult {
  const { summary, keyPoints, passageCount, questionCount, unknownCitations } = made;
  const uncited = keyPoints.filter(({ isCited }) => !isCited).length;
  const unfounded = keyPoints.filter(({ numbersNotInPassages = [] }) => numbersNotInPassages.length > 0).length;
  const words = maxWords === undefined ? 0 : countWords(summary);
  return {
    method: "model",
    summary,
    keyPoints,
    passageCount,
    questionCount,
    warnings: [
      ...warning(isModeOverruled, "MODE_IGNORED", "the agent's author has set mode model for all calls"),
      ...warning(
        unknownCitations > 0,
        "CITATIONS_DROPPED",
        `citations of passages that the model was not shown: ${unknownCitations}`,
      ),
      ...warning(uncited > 0, "POINTS_WITHOUT_PASSAGE", `key points that cite no passage: ${uncited}`),
      ...warning(
        unfounded > 0,
        "NUMBERS_NOT_IN_PASSAGES",
        `key points with numbers that their passages do not contain: ${unfounded}`,
      ),
      ...warning(
        maxWords !== undefined && words > maxWords * TOLERANCE,
        "LONGER_THAN_ASKED",
        `the summary has ${words} words`,
      ),
    ],
  };
}

function warning(isTrue: boolean, code: string, message: string): readonly ContentWarning[] {
  return isTrue ? [{ code, message }] : [];
}

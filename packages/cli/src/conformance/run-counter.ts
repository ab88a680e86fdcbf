import { type Finding, failed, findingOf, notJudged, PASS } from "./finding.ts";
import { type AnswerTraits, genuineFault, isSameAnswer } from "./judgements.ts";
import type { Exchange } from "./wire/exchange.ts";

/** How it shows whether a tool has run. */
export interface RunCounter {
  /** For the report. */
  readonly description: string;
  /** The number of runs so far; absent where nobody counts. */
  readonly read?: (() => Promise<number>) | undefined;
  /** Whether each run gives another result, so that equal answers are one run. */
  readonly isResultUnique: boolean;
  /** What genuine calls were answered before any case ran. */
  readonly genuine: AnswerTraits;
}

const HOW_TO_TELL =
  "every run of this tool gives the same result, so that a second run can't be seen: name a tool whose result differs from run to run (a counter, a random id), or --counter-url";

/**
 * Does something that must run the tool a certain number of times, and judges by all that shows: the count, whether the
 * answers are one, and whether that is what a genuine call gets. A handler that refuses all copies answers them alike.
 *
 * @param expectedRuns - how often the tool must run.
 * @param act - returns the answers, which must all be the same.
 */
export async function judgeRuns(
  counter: RunCounter,
  expectedRuns: number,
  act: () => Promise<readonly Exchange[]>,
): Promise<Finding> {
  const before = await counter.read?.();
  const answers = await act();
  const after = await counter.read?.();
  const faults = answers.flatMap((answer) => genuineFault(answer, counter.genuine) ?? []);
  if (faults[0] !== undefined) {
    return failed(`${faults.length} of ${answers.length} not answered as genuine calls are: ${faults[0]}`);
  }
  const [first, ...others] = answers;
  const different = first === undefined ? 0 : others.filter((answer) => !isSameAnswer(first, answer)).length;
  if (different > 0) {
    return failed(
      `${different} of ${others.length} duplicates got another answer than the first: the tool ran again, or the answer was not kept`,
    );
  }
  if (before !== undefined && after !== undefined) {
    const runs = after - before;
    return findingOf(runs === expectedRuns ? undefined : `the tool ran ${runs} times; expected ${expectedRuns}`);
  }
  return counter.isResultUnique ? PASS : notJudged(HOW_TO_TELL);
}

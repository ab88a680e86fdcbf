import { type Finding, failed, findingOf, notJudged, PASS } from "./finding.ts";
import { type AnswerTraits, genuineFault, isSameAnswer } from "./judgements.ts";
import type { Exchange } from "./wire/exchange.ts";

/** How to detect whether a tool has run. */
export interface RunCounter {
  /** Text for the report. */
  readonly description: string;
  /** Returns the number of runs so far; absent if runs cannot be counted. */
  readonly read?: (() => Promise<number>) | undefined;
  /** Whether each run returns a different result, so that equal responses prove a single run. */
  readonly isResultUnique: boolean;
  /** The responses to genuine calls before the first case. */
  readonly genuine: AnswerTraits;
}

const HOW_TO_TELL =
  "every run of this tool gives the same result, so a second run can't be detected: choose a tool whose result differs from run to run (a counter, a random id), or set --counter-url";

/**
 * Performs an action that must run the tool a given number of times. Checks the counter, whether the responses are
 * equal, and whether they match the response to a genuine call: a handler that rejects all copies would return equal
 * responses too.
 *
 * @param expectedRuns - how often the tool must run.
 * @param act - returns the responses, which must all be equal.
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
    return failed(`${faults.length} of ${answers.length} did not get the response of a genuine call: ${faults[0]}`);
  }
  const [first, ...others] = answers;
  const different = first === undefined ? 0 : others.filter((answer) => !isSameAnswer(first, answer)).length;
  if (different > 0) {
    return failed(
      `${different} of ${others.length} duplicates got a different response from the first: the tool ran again, or the response was not stored`,
    );
  }
  if (before !== undefined && after !== undefined) {
    const runs = after - before;
    return findingOf(runs === expectedRuns ? undefined : `the tool ran ${runs} times; expected ${expectedRuns}`);
  }
  return counter.isResultUnique ? PASS : notJudged(HOW_TO_TELL);
}

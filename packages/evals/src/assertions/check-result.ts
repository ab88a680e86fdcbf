/** The verdict of one check of a run. */
export interface CheckResult {
  /** The field of the case, such as `expected_calls` or `assert[0]`. */
  readonly check: string;
  /** The name under which reports add up the score. */
  readonly metric: string;
  readonly passed: boolean;
  /** 0 to 1. */
  readonly score: number;
  readonly weight: number;
  /** What was expected and what was found; for a check that passed, an empty string. */
  readonly reason: string;
  /** Whether the check could not be carried out, such as a rubric whose judge did not reply. */
  readonly isError?: boolean | undefined;
}

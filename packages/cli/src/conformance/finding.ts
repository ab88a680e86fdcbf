/** The result of a case. */
export type Finding =
  /** The handler passed, possibly with a note for the reader of the report. */
  | { readonly outcome: "pass"; readonly remark?: string }
  | { readonly outcome: "fail"; readonly reason: string }
  /** The case could not be judged; the reason says what it needs. */
  | { readonly outcome: "not-judged"; readonly reason: string }
  /** The case requires an option that was not given. */
  | { readonly outcome: "not-asked"; readonly reason: string };

export const PASS: Finding = { outcome: "pass" };

export function passed(remark: string): Finding {
  return { outcome: "pass", remark };
}

export function failed(reason: string): Finding {
  return { outcome: "fail", reason };
}

export function notJudged(reason: string): Finding {
  return { outcome: "not-judged", reason };
}

export function notAsked(reason: string): Finding {
  return { outcome: "not-asked", reason };
}

/** Returns a pass if there is no fault. */
export function findingOf(fault: string | undefined): Finding {
  return fault === undefined ? PASS : failed(fault);
}

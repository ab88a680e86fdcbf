/** What a case found. */
export type Finding =
  /** With a remark where something has to be known all the same. */
  | { readonly outcome: "pass"; readonly remark?: string }
  | { readonly outcome: "fail"; readonly reason: string }
  /** Nothing could be said; the reason tells what it takes. */
  | { readonly outcome: "not-judged"; readonly reason: string }
  /** An option that nobody gave would ask for it. */
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

/** Passes when nothing is wrong. */
export function findingOf(fault: string | undefined): Finding {
  return fault === undefined ? PASS : failed(fault);
}

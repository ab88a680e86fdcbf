/** What a case found. */
export type Finding =
  | { readonly outcome: "pass" }
  | { readonly outcome: "fail"; readonly reason: string }
  /** Nothing could be said; the reason tells what it takes. */
  | { readonly outcome: "not-judged"; readonly reason: string }
  /** An option that nobody gave would ask for it. */
  | { readonly outcome: "not-asked"; readonly reason: string };

export const PASS: Finding = { outcome: "pass" };

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

import type { Finding } from "./finding.ts";
import type { Probe } from "./probe.ts";

/** Headings of the report, in order. */
export const GROUPS = {
  genuine: "Genuine calls",
  forged: "Forged calls",
  age: "Age",
  once: "Once",
  bodies: "Bodies",
  http: "HTTP",
  answers: "Responses",
  describe: "Describe requests",
} as const;

export type Group = keyof typeof GROUPS;

/** `required`: a handler that fails is unsafe or incompatible. `recommended`: what the handler kit does in addition. */
export type Level = "required" | "recommended";

/** One behaviour of a handler to test. */
export interface ConformanceCase {
  /** Stable, because reports and `--only` use it. */
  readonly id: string;
  readonly group: Group;
  readonly level: Level;
  /** What a passing handler does, worded to follow "the handler …". */
  readonly title: string;
  /** What to do if the handler fails the case. */
  readonly advice: string;
  run(probe: Probe): Promise<Finding>;
}

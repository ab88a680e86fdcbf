import type { Finding } from "./finding.ts";
import type { Probe } from "./probe.ts";

/** Headings of the report, in their order. */
export const GROUPS = {
  genuine: "Genuine calls",
  forged: "Forged calls",
  age: "Age",
  once: "Once",
  bodies: "Bodies",
  http: "HTTP",
  answers: "Answers",
} as const;

export type Group = keyof typeof GROUPS;

/** `required`: the contract depends on it, and so does its safety. `recommended`: what the kit does besides. */
export type Level = "required" | "recommended";

/** One thing that a handler is asked. */
export interface ConformanceCase {
  /** Stable: reports and `--only` name it. */
  readonly id: string;
  readonly group: Group;
  readonly level: Level;
  /** What a handler does that passes, as the end of "the handler …". */
  readonly title: string;
  /** What to do when it fails. */
  readonly advice: string;
  run(probe: Probe): Promise<Finding>;
}

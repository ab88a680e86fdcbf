import type { CaseDefinition } from "./case-schema.ts";

/** A case with its location, including the defaults of its file. */
export interface EvalCase extends CaseDefinition {
  /** The file that contains the case; absent for cases that a program made. */
  readonly file?: string | undefined;
  /** The line of the case in its file, from 1. */
  readonly line?: number | undefined;
}

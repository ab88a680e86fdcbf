import type { Draft } from "./reading/drafts.ts";

/** Problems that make a schema unusable. */
export type SchemaProblemCode =
  | "UNKNOWN_DRAFT"
  | "UNKNOWN_VOCABULARY"
  | "REMOTE_REFERENCE"
  | "UNRESOLVED_REFERENCE"
  | "ENDLESS_REFERENCE"
  | "INVALID_IDENTIFIER"
  | "UNSUPPORTED_PATTERN"
  | "TOO_COMPLEX";

/** Thrown if a schema can't be used. The message is phrased so that it can follow the location. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  readonly code: SchemaProblemCode;
  /** JSON pointer into the schema, prefixed with the document's URI if the location is in another document. */
  readonly path: string;
  /** The draft of the schema, if known. */
  draft: Draft | undefined;

  constructor(code: SchemaProblemCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

/**
 * Runs an operation on a schema whose draft is known.
 *
 * @throws SchemaProblem with the draft added.
 */
export function withDraft<T>(draft: Draft, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SchemaProblem) error.draft = draft;
    throw error;
  }
}

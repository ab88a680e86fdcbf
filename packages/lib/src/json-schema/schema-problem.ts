import type { Draft } from "./reading/drafts.ts";

/** What keeps a schema from being used at all. */
export type SchemaProblemCode =
  | "UNKNOWN_DRAFT"
  | "UNKNOWN_VOCABULARY"
  | "REMOTE_REFERENCE"
  | "UNRESOLVED_REFERENCE"
  | "ENDLESS_REFERENCE"
  | "INVALID_IDENTIFIER"
  | "UNSUPPORTED_PATTERN"
  | "TOO_COMPLEX";

/** A schema can't be used; the message reads after the name of its place. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  readonly code: SchemaProblemCode;
  /** JSON pointer into the schema, after the document's address when it is not the schema itself. */
  readonly path: string;
  /** Of the schema, where the problem is not that it can't be known. */
  draft: Draft | undefined;

  constructor(code: SchemaProblemCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

/** Does something with a schema whose draft is known. @throws SchemaProblem that knows the draft, too. */
export function withDraft<T>(draft: Draft, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SchemaProblem) error.draft = draft;
    throw error;
  }
}

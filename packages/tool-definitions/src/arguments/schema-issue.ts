/** Why a parameters schema is refused. */
export type SchemaIssueCode =
  | "NOT_AN_OBJECT_SCHEMA"
  | "INVALID_SCHEMA"
  | "NOT_JSON"
  | "TOO_LARGE"
  | "TOO_DEEP"
  | "TOO_COMPLEX"
  | "UNSUPPORTED_DIALECT"
  | "UNSUPPORTED_KEYWORD"
  | "REMOTE_REFERENCE"
  | "UNRESOLVED_REFERENCE"
  | "ENDLESS_REFERENCE"
  | "DUPLICATE_ANCHOR"
  | "INVALID_PATTERN"
  | "UNKNOWN_FORMAT"
  | "FORBIDDEN_KEY";

/** A problem of a parameters schema. */
export interface SchemaIssue {
  /** JSON pointer into the schema; empty for the schema as a whole. */
  readonly path: string;
  readonly code: SchemaIssueCode;
  /** What was expected, in lower case. */
  readonly message: string;
}

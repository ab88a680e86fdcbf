/** The reason why a parameters schema is rejected. */
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

/** A problem in a parameters schema. */
export interface SchemaIssue {
  /** JSON pointer into the schema; empty for the entire schema. */
  readonly path: string;
  readonly code: SchemaIssueCode;
  /** What was expected, in lower case. */
  readonly message: string;
}

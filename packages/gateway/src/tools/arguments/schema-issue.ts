/** Why a parameters schema is refused. */
export type SchemaIssueCode =
  | "not_an_object_schema"
  | "invalid_schema"
  | "not_json"
  | "too_large"
  | "too_deep"
  | "too_complex"
  | "unsupported_dialect"
  | "unsupported_keyword"
  | "remote_reference"
  | "unresolved_reference"
  | "endless_reference"
  | "duplicate_anchor"
  | "invalid_pattern"
  | "unknown_format"
  | "forbidden_key";

/** One thing that is wrong with a parameters schema. */
export interface SchemaIssue {
  /** JSON pointer into the schema; empty for the schema as a whole. */
  readonly path: string;
  readonly code: SchemaIssueCode;
  /** Lower case, says what was expected. */
  readonly message: string;
}

import type { Draft } from "@yagate/lib/json-schema/reading/drafts";
import type { SchemaViolation } from "@yagate/lib/json-schema/violation";

/** An input value: a text that is expected to be JSON, or a parsed JSON value. */
export type GivenJson = { readonly text: string } | { readonly value: unknown };

interface SchemaOptions {
  readonly schema: GivenJson;
  /** The draft for a schema that does not declare one. */
  readonly draft: Draft;
  /** Whether the call requested that draft. */
  readonly isDraftGiven: boolean;
  /** Schemas by the URIs that the schema uses to refer to them. */
  readonly documents: Readonly<Record<string, GivenJson>>;
  readonly assertFormats: boolean;
  readonly maxErrors: number;
}

/** A job for the worker thread. */
export type JsonJob =
  | { readonly operation: "validate"; readonly json: GivenJson; readonly against: SchemaOptions | undefined }
  | { readonly operation: "check_schema"; readonly against: SchemaOptions }
  | {
      readonly operation: "infer";
      readonly samples: readonly GivenJson[];
      readonly draft: Draft;
      readonly detectEnums: boolean;
    };

/** A warning about something that is not an error. */
export interface JsonWarning {
  readonly code: string;
  readonly message: string;
  /** JSON pointer of the value, if the warning is about one. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A JSON syntax error. */
export interface JsonSyntaxError {
  /** Position, expected text and found text in one sentence. */
  readonly message: string;
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 code units, starting at 1. */
  readonly column: number;
  /** Offset in UTF-16 code units, starting at 0. */
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  /** The line, cut to about 80 characters, with a marker under the position. */
  readonly excerpt: string;
  /** JSON pointer of the object or array that was being parsed. */
  readonly path: string;
  /** A suggestion of what was probably meant. */
  readonly hint?: string;
}

/** The result for a text or value: whether it is JSON, and whether it matches the schema. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly isJson: boolean;
  /** The type of the value: `object`, `array`, `string`, `number`, `boolean` or `null`. */
  readonly type?: string;
  readonly syntaxError?: JsonSyntaxError;
  /** The draft by which the schema was read. */
  readonly draft?: Draft;
  readonly errors?: readonly SchemaViolation[];
  readonly errorCount?: number;
  /** All errors in one text of at most 2,000 characters. */
  readonly message?: string;
  readonly warnings: readonly JsonWarning[];
}

/** The result for a schema. */
export interface SchemaCheckResult {
  readonly valid: boolean;
  /** Null for an unknown dialect. */
  readonly draft: Draft | null;
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly errorCount: number;
  readonly message?: string;
  readonly warnings: readonly JsonWarning[];
}

/** The result of an inference: a schema that every sample matches. */
export interface InferenceResult {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly sampleCount: number;
  readonly warnings: readonly JsonWarning[];
}

export type JsonJobResult = ValidationResult | SchemaCheckResult | InferenceResult;

import type { Draft } from "@yagate/lib/json-schema/reading/drafts";
import type { SchemaViolation } from "@yagate/lib/json-schema/violation";

/** A value as it was given: a text that should be JSON, or JSON that was read already. */
export type GivenJson = { readonly text: string } | { readonly value: unknown };

interface SchemaOptions {
  readonly schema: GivenJson;
  /** Of a schema that does not say it itself. */
  readonly draft: Draft;
  /** Whether somebody asked for that draft. */
  readonly isDraftGiven: boolean;
  /** Schemas by the addresses under which the schema refers to them. */
  readonly documents: Readonly<Record<string, GivenJson>>;
  readonly assertFormats: boolean;
  readonly maxErrors: number;
}

/** What is to be done, in a thread of its own. */
export type JsonJob =
  | { readonly operation: "validate"; readonly json: GivenJson; readonly against: SchemaOptions | undefined }
  | { readonly operation: "check_schema"; readonly against: SchemaOptions }
  | {
      readonly operation: "infer";
      readonly samples: readonly GivenJson[];
      readonly draft: Draft;
      readonly detectEnums: boolean;
    };

/** Something that is no error, and that the reader should know. */
export interface JsonWarning {
  readonly code: string;
  readonly message: string;
  /** JSON pointer of the place, where there is one. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Where a text stops being JSON. */
export interface JsonSyntaxError {
  /** Place, expectation and finding in one sentence. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** From 0, in UTF-16 units. */
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  /** The line, cut to about 80 characters, and a mark below the place. */
  readonly excerpt: string;
  /** JSON pointer of the object or array that was being read. */
  readonly path: string;
  /** What was most likely meant. */
  readonly hint?: string;
}

/** What comes of a text or value: whether it is JSON, and whether it fits the schema. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly isJson: boolean;
  /** Of the value: `object`, `array`, `string`, `number`, `boolean` or `null`. */
  readonly type?: string;
  readonly syntaxError?: JsonSyntaxError;
  /** Of the schema. */
  readonly draft?: Draft;
  readonly errors?: readonly SchemaViolation[];
  readonly errorCount?: number;
  /** All errors in one text of at most 2 000 characters. */
  readonly message?: string;
  readonly warnings: readonly JsonWarning[];
}

/** What comes of a schema. */
export interface SchemaCheckResult {
  readonly valid: boolean;
  /** Null where the schema names one that is not known. */
  readonly draft: Draft | null;
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly errorCount: number;
  readonly message?: string;
  readonly warnings: readonly JsonWarning[];
}

/** A schema that every sample fits. */
export interface InferenceResult {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly sampleCount: number;
  readonly warnings: readonly JsonWarning[];
}

export type JsonJobResult = ValidationResult | SchemaCheckResult | InferenceResult;

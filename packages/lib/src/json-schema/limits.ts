/** Limits of a tool's parameters schema, chosen so that compiling the largest one takes less than 0.3 s. */
export const SCHEMA_LIMITS = {
  /** Serialised bytes in UTF-8. */
  maxBytes: 65_536,
  /** Nesting of objects and arrays; the schema itself is level 1. */
  maxDepth: 32,
  /** Number of nested schemas. */
  maxSubschemas: 1_000,
  /** Number of schemas that one value can be checked against, following references. */
  maxChecksPerValue: 10_000,
  maxPatterns: 100,
  maxPatternLength: 1_000,
  /** Instructions of one compiled pattern: `^.{1,1000}$` has 2 001. */
  maxPatternInstructions: 2_500,
  maxIssues: 50,
} as const;

/** Limits of a call's arguments. */
export const VALUE_LIMITS = {
  /**
   * Approximate number of characters of the serialised value: a handler's body limit is 1 MiB, so more could never be
   * delivered.
   */
  maxCharacters: 1_048_576,
  /** The same for a call that runs inside the gateway and accepts more; longer arguments of a model are not parsed. */
  mostCharacters: 4_194_304,
  /** Nesting of objects and arrays; the arguments themselves are level 1. Bounds the recursion of a validator. */
  maxDepth: 64,
  /** Steps of one validation, see StepBudget. */
  maxSteps: 5_000_000,
  /** Number of violations to list; the others are counted. */
  maxViolations: 50,
} as const;

/** Limits on the schema of a tool's parameters. Compiling the largest allowed schema takes less than 0.3 s. */
export const SCHEMA_LIMITS = {
  /** Size of the serialised schema, in bytes of UTF-8. */
  maxBytes: 65_536,
  /** Nesting depth of objects and arrays; the schema itself is level 1. */
  maxDepth: 32,
  /** Number of nested schemas. */
  maxSubschemas: 1_000,
  /** Maximum number of schemas that one value is checked against, including those reached through references. */
  maxChecksPerValue: 10_000,
  maxPatterns: 100,
  maxPatternLength: 1_000,
  /** Instructions of one compiled pattern; `^.{1,1000}$` has 2,001. */
  maxPatternInstructions: 2_500,
  maxIssues: 50,
} as const;

/** Limits on the arguments of a call. */
export const VALUE_LIMITS = {
  /**
   * Approximate length of the serialised arguments in characters. A handler accepts bodies of up to 1 MiB, so longer
   * arguments could never be delivered.
   */
  maxCharacters: 1_048_576,
  /**
   * The value of `maxCharacters` for calls that run inside the gateway, which accept more. Longer arguments from a
   * model are not parsed.
   */
  mostCharacters: 4_194_304,
  /**
   * Nesting depth of objects and arrays; the arguments themselves are level 1. It limits the recursion of validators.
   */
  maxDepth: 64,
  /** Steps of one validation; see StepBudget. */
  maxSteps: 5_000_000,
  /** Number of violations that are listed; further ones are only counted. */
  maxViolations: 50,
} as const;

/** What a tool's parameters schema may weigh; measured so that compiling the heaviest one stays under 0.3 s. */
export const SCHEMA_LIMITS = {
  /** Serialised, in UTF-8. */
  maxBytes: 65_536,
  /** Nesting of objects and arrays; the schema itself is level 1. */
  maxDepth: 32,
  /** Schemas inside the schema. */
  maxSubschemas: 1_000,
  /** Schemas that one value can be checked against, references followed. */
  maxChecksPerValue: 10_000,
  maxPatterns: 100,
  maxPatternLength: 1_000,
  /** Instructions of one compiled pattern: `^.{1,1000}$` has 2 001. */
  maxPatternInstructions: 2_500,
  maxIssues: 50,
} as const;

/** What a call's arguments may weigh. */
export const VALUE_LIMITS = {
  /** Characters of the serialised value, about: a handler's body limit is 1 MiB, so more could never be delivered. */
  maxCharacters: 1_048_576,
  /** The same of a call that runs inside the gateway and takes more; what a model writes is read up to here. */
  mostCharacters: 4_194_304,
  /** Nesting of objects and arrays; the arguments themselves are level 1. Bounds the recursion of a validator. */
  maxDepth: 64,
  /** Steps of one check, see StepBudget. */
  maxSteps: 5_000_000,
  /** Violations that are told one by one; the others are counted. */
  maxViolations: 50,
} as const;

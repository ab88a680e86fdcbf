/** Limits of one call. */
export const JSON_VALIDATOR_LIMITS = {
  /** The text or value to check, and all samples together; the same as the limit on a call's arguments. */
  maxDataCharacters: 1_048_576,
  /** Nesting of a value that is checked against a schema, and of samples. Bounds the recursion of the check. */
  maxDataDepth: 256,
  /** A serialised schema; for all schemas that it refers to together, four times as much. */
  maxSchemaCharacters: 65_536,
  maxSchemaDepth: 32,
  maxSamples: 100,
  /** The text with all errors, for the model. */
  maxMessageCharacters: 2_000,
  /** Steps of one call, including the check of the schema: about 1 s. */
  maxSteps: 4_000_000,
  /** Counted from the start in a worker thread. */
  timeoutMs: 5_000,
  memoryMegabytes: 192,
} as const;

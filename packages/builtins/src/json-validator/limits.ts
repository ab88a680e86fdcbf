/** Limits of one call. */
export const JSON_VALIDATOR_LIMITS = {
  /**
   * Maximum length of the text or value to check, or of all samples together, in characters. Equal to the limit on a
   * call's arguments.
   */
  maxDataCharacters: 1_048_576,
  /** Maximum nesting of samples, and of a value that is checked against a schema. Limits the recursion of the check. */
  maxDataDepth: 256,
  /**
   * Maximum length of a serialised schema, in characters. All schemas to which it refers may together have four times
   * as many.
   */
  maxSchemaCharacters: 65_536,
  maxSchemaDepth: 32,
  maxSamples: 100,
  /** Maximum length of the text that lists all errors for the model. */
  maxMessageCharacters: 2_000,
  /** Maximum number of steps of one call, including the check of the schema: about 1 s. */
  maxSteps: 4_000_000,
  /** Time limit in ms, counted from the time the job starts in a worker thread. */
  timeoutMs: 5_000,
  memoryMegabytes: 192,
} as const;

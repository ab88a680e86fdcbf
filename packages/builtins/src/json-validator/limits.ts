/** What one call may ask for. */
export const JSON_VALIDATOR_LIMITS = {
  /** Of the text or the value to check, and of all samples together; the arguments of a call have the same limit. */
  maxDataCharacters: 1_048_576,
  /** Of the value, where it is checked against a schema; samples alike. Bounds the recursion of the check. */
  maxDataDepth: 256,
  /** Of a schema, serialised; of the schemas that it refers to, together, four times that. */
  maxSchemaCharacters: 65_536,
  maxSchemaDepth: 32,
  maxSamples: 100,
  /** Of a text with all errors, for the model. */
  maxMessageCharacters: 2_000,
  /** Steps of one call, the check of the schema included: about 1 s. */
  maxSteps: 4_000_000,
  /** From when a thread begins with it. */
  timeoutMs: 5_000,
  memoryMegabytes: 192,
} as const;

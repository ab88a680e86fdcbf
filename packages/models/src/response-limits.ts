/**
 * Limits on a provider's response. A model server may be untrusted, and all workspaces share one event loop. A response
 * that exceeds these limits can't be a model's reply, so it is rejected before it is parsed.
 */
export const RESPONSE_LIMITS = {
  /** Bytes of a complete response, or of one chunk of a stream. For an entire stream, the limit counts characters. */
  bytes: 8 * 1_048_576,
  /** Bytes of an HTTP error response; the rest is not read. */
  errorBytes: 64 * 1_024,
  /**
   * Objects and arrays in a response or in one chunk of a stream, and in the inputs of its calls, which may be JSON
   * strings. Those in the agent's tools, which some providers repeat, do not count.
   */
  containers: 10_000,
  /** Objects, arrays and other values, including those in the agent's tools. */
  values: 100_000,
  /** Nesting depth of objects and arrays. */
  depth: 512,
  /**
   * Nesting depth of a call's input; deeper values are cut. No tool accepts this depth, so a call whose input was cut
   * is still rejected.
   */
  inputDepth: 100,
  /**
   * Chunks in a stream. Some providers send one chunk per token, and no model writes more than about 100,000 tokens.
   */
  pieces: 500_000,
  /** Parts in a reply: texts, calls, results, sources. */
  parts: 5_000,
} as const;

/**
 * Most of an answer that is read. A model server may be anybody's, and all of the gateway's tenants share one event loop:
 * what is past these is no answer of a model, and is given up before it is parsed.
 */
export const ANSWER_LIMITS = {
  /** Bytes of an answer that comes at once, of one piece of a stream, and of what a stream says in all, in characters. */
  bytes: 8 * 1_048_576,
  /** Bytes of an answer that is an HTTP error; what follows is left unread. */
  errorBytes: 64 * 1_024,
  /**
   * Objects and arrays of an answer, or of one piece of a stream; and of the inputs of its calls, which may be texts in
   * it. The agent's tools, which some providers repeat, are not counted.
   */
  containers: 10_000,
  /** The same, and everything in them; the agent's tools are counted. */
  values: 100_000,
  /** Objects and arrays inside of each other. */
  depth: 512,
  /** The same of a call's input: more than any tool takes, so that it is refused for it. */
  inputDepth: 100,
  /** Pieces of a stream. Some providers send one for each token, of which no model writes more than some 100 000. */
  pieces: 500_000,
  /** What an answer is made of: texts, calls, results, sources. */
  parts: 5_000,
} as const;

/** A request from a tool to the agent's model. The model gets no tools and sees no part of the conversation. */
export interface ModelQuestion {
  /** The task. */
  readonly instructions: string;
  /** The data to work on; it may be untrusted. */
  readonly text: string;
  /** Maximum number of tokens in the reply; default: the model's own limit. */
  readonly maxOutputTokens?: number;
  /** Time limit in ms, including retries; default: the time left until the deadline of the call. */
  readonly timeoutMs?: number;
}

/** The text of the reply. */
export interface ModelReply {
  readonly text: string;
  /** Whether the reply was cut off at a token limit. */
  readonly isCut: boolean;
}

/**
 * Sends a request to the model of the agent that made the call. The cost counts towards the limits of the execution,
 * and each request is stored with the call.
 *
 * @throws AskModelError.
 */
export type AskModel = (question: ModelQuestion) => Promise<ModelReply>;

/**
 * Why a question got no reply. `BUDGET_EXCEEDED`: the execution has used up its budget. `MODEL_ERROR`: the model did
 * not reply, even after retries.
 */
export class AskModelError extends Error {
  override readonly name = "AskModelError";
  readonly code: "BUDGET_EXCEEDED" | "MODEL_ERROR";

  constructor(code: "BUDGET_EXCEEDED" | "MODEL_ERROR", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

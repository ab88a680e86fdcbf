/** What a tool wants of the agent's model. It gets no tools and sees nothing of the conversation. */
export interface ModelQuestion {
  /** What it is to do. */
  readonly instructions: string;
  /** What it is to do it with: data, whoever wrote it. */
  readonly text: string;
  /** Most tokens of the answer; default as the model has it. */
  readonly maxOutputTokens?: number;
  /** Most time for the answer, repeats included; default what the call has left. In ms. */
  readonly timeoutMs?: number;
}

/** What it said. */
export interface ModelReply {
  readonly text: string;
  /** It was cut off at a limit of tokens. */
  readonly isCut: boolean;
}

/**
 * Asks the model of the agent whose call this is. What it costs is the execution's, within its limits, and each question
 * is in the call's record.
 *
 * @throws AskModelError.
 */
export type AskModel = (question: ModelQuestion) => Promise<ModelReply>;

/** `BUDGET_EXCEEDED`: the execution may not spend more. `MODEL_ERROR`: the model did not answer, repeats included. */
export class AskModelError extends Error {
  override readonly name = "AskModelError";
  readonly code: "BUDGET_EXCEEDED" | "MODEL_ERROR";

  constructor(code: "BUDGET_EXCEEDED" | "MODEL_ERROR", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import type { ModelTurn } from "../../src/port.ts";

/** Something that a server does differently from OpenAI's chat completions, and what its answer means all the same. */
export interface Quirk {
  /**
   * Who does it, and what it is. A server, or a model behind one, is named where its documentation, its source or a
   * report of its users shows it; "a server", "a proxy" or no name stand for what any may do.
   */
  readonly name: string;
  /** The body of an answer that comes at once. */
  readonly whole: string;
  /** The body of the same answer as server-sent events. */
  readonly streamed: string;
  readonly expected: Partial<Omit<ModelTurn, "toolCalls">> & {
    readonly toolCalls?: readonly object[];
    readonly thoughts?: string;
  };
}

export const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
export const COUNTED = { usage: { inputTokens: 11, outputTokens: 7 } };
export const UNCOUNTED = { usage: { inputTokens: 0, outputTokens: 0 } };
export const SAID = { text: "It was shipped.", finishReason: "stop" } as const;
export const CALLED = { finishReason: "tool_calls" } as const;
export const TEXT = "It was shipped.";
export const ARGUMENTS = '{"orderId":"ORD-1"}';
export const CALL = { id: "call_a", type: "function", function: { name: "orders_lookup", arguments: ARGUMENTS } };

export const sse = (...pieces: readonly (object | string)[]) =>
  pieces.map((piece) => `data: ${typeof piece === "string" ? piece : JSON.stringify(piece)}\n\n`).join("");

/** One message in both forms, with what stands around and behind it. */
export function message(
  said: object,
  { finish = "stop", around = {}, choice = {} }: { finish?: unknown; around?: object; choice?: object } = {},
): Pick<Quirk, "whole" | "streamed"> {
  const head = { id: "chat_1", created: 1, model: "house" };
  return {
    whole: JSON.stringify({
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: said, finish_reason: finish, ...choice }],
      usage: USAGE,
      ...around,
    }),
    streamed: sse(
      {
        ...head,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: said, finish_reason: null, ...choice }],
      },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: USAGE, ...around },
      "[DONE]",
    ),
  };
}

export const quirk = (
  name: string,
  bodies: Pick<Quirk, "whole" | "streamed">,
  expected: Quirk["expected"] = { ...SAID, ...COUNTED },
): Quirk => ({ name, ...bodies, expected });

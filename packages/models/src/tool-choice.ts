import { type ModelTurn, ModelTurnError, type ModelTurnRequest } from "./port.ts";

/**
 * Checks that a complete reply complies with the tool choice.
 *
 * @throws ModelTurnError `MODEL_ERROR` if it does not.
 */
export function assertToolChoice(
  turn: Pick<ModelTurn, "toolCalls" | "hostedCalls" | "finishReason">,
  choice: ModelTurnRequest["toolChoice"],
): void {
  if (choice === "none" && turn.toolCalls.length > 0) {
    throw new ModelTurnError("MODEL_ERROR", "the model called a tool although none was allowed");
  }
  const called = turn.toolCalls.length + turn.hostedCalls.length;
  if (choice === "required" && called === 0 && turn.finishReason === "stop") {
    throw new ModelTurnError("MODEL_ERROR", "the model called no tool although one was required");
  }
}

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ModelTurnError, type ModelTurnRequest } from "../port.ts";
import { toProviderToolName } from "../tool-names.ts";
import { createScriptedModel } from "./answer.ts";

/**
 * Creates a model that plays the request's `script`, one entry per model turn. After the last entry, its replies are
 * empty.
 *
 * @throws ModelTurnError `NOT_CONFIGURED` if the request has no script.
 */
export function createTurnsModel({
  script,
  turn,
  tools,
}: Pick<ModelTurnRequest, "script" | "turn" | "tools">): LanguageModelV4 {
  if (script === undefined) {
    throw new ModelTurnError(
      "NOT_CONFIGURED",
      'scripted/turns plays a script: expected { "script": { "turns": […] } } in the request',
    );
  }
  const { text = "", toolCalls = [], finishReason } = script.turns[turn - 1] ?? {};
  const calls = toolCalls.map(({ name, parameters }, index) => ({
    id: `call_${turn}_${index + 1}`,
    // A name in the script that is not a tool of the agent is used as it is.
    name: tools.some((tool) => tool.name === name) ? toProviderToolName(name) : name,
    parameters,
  }));
  return createScriptedModel("turns", () => ({ text, toolCalls: calls, finishReason }));
}

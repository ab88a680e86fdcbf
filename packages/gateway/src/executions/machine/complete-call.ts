import type { Cost, JsonValue, ModelCall, Via } from "@yagate/protocol";
import type { EventLog } from "./event-log.ts";
import type { MachineEnvironment } from "./execution-config.ts";
import { resultCharacters } from "./result-tokens.ts";
import type { CallState } from "./state.ts";

/** Ends a call with its result, and says how much of it the model will read. */
export function completeCall(
  log: EventLog,
  call: CallState,
  ending: {
    readonly result: JsonValue;
    readonly cost: Cost;
    readonly via?: Via;
    readonly modelCalls?: readonly ModelCall[];
  },
  { project }: Pick<MachineEnvironment, "project">,
): void {
  const { result, cost, via, modelCalls = [] } = ending;
  const { id: toolCallId, projection } = call;
  log.append({
    type: "tool_call.completed",
    toolCallId,
    result,
    ...(via === undefined ? {} : { via }),
    cost,
    ...(projection === undefined || project === undefined
      ? {}
      : { readCharacters: resultCharacters(project(result, projection), call) }),
    ...(modelCalls.length === 0 ? {} : { modelCalls: [...modelCalls] }),
  });
}

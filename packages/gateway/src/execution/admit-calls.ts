import type { AssistantPart, ModelToolCall, ModelTurn } from "../models/port.ts";
import { recordableArguments } from "../tools/arguments/recordable-arguments.ts";
import type { Toolset } from "../tools/port.ts";
import type { AdmittedCall } from "./machine/inputs.ts";

/** No tool has a longer name than 64 characters; whatever else the model called is only told of. */
const MAX_NAME_CHARACTERS = 100;

/** The calls of a turn, admitted or refused, and the message to keep of it. */
export interface AdmittedTurn {
  readonly calls: readonly AdmittedCall[];
  readonly parts: readonly AssistantPart[];
}

/** Takes the first steps of every call: authorise, then check the arguments. */
export function admitCalls(answer: Pick<ModelTurn, "toolCalls" | "parts">, toolset: Toolset): AdmittedTurn {
  const calls = answer.toolCalls.map((call) => admit(call, toolset));
  const refused = new Map(
    calls.flatMap((call) => (call.admission.refusal === undefined ? [] : [[call.toolCallId, call] as const])),
  );
  return { calls, parts: answer.parts.map((part) => withRecorded(part, refused)) };
}

function admit(call: ModelToolCall, toolset: Toolset): AdmittedCall {
  const { toolCallId, name, parameters } = call;
  const tool = toolset.tools.get(name);
  const refusal = toolset.refusalOf(call);
  const admission = {
    kind: tool?.kind ?? null,
    sideEffect: tool?.sideEffect ?? null,
    risk: tool?.risk ?? null,
    policyDecision: tool?.policyDecision ?? null,
  };
  if (refusal === undefined) return { toolCallId, name, parameters, admission };
  return {
    toolCallId,
    name: name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name,
    parameters: recordableArguments(parameters),
    admission: { ...admission, refusal },
  };
}

/** The model reads of a refused call what the record has of it. */
function withRecorded(part: AssistantPart, refused: ReadonlyMap<string, AdmittedCall>): AssistantPart {
  const call = part.type === "tool_call" ? refused.get(part.toolCallId) : undefined;
  return part.type !== "tool_call" || call === undefined
    ? part
    : { ...part, name: call.name, parameters: call.parameters };
}

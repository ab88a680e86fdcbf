import { type Agent, YagateError } from "@yagate/protocol";
import type { ExecutionRow } from "../journal/port.ts";
import type { AssistantPart, ModelToolCall, ModelTurn } from "../models/port.ts";
import { recordableArguments } from "../tools/arguments/recordable-arguments.ts";
import type { Refusal, Toolset } from "../tools/port.ts";
import { argumentRefusal } from "../tools/refusal.ts";
import { type DraftApproval, draftApproval } from "./approvals/approval-request.ts";
import type { AdmittedCall } from "./machine/inputs.ts";
import { toToolCall } from "./to-tool-call.ts";

/** No tool has a longer name than 64 characters; whatever else the model called is only told of. */
const MAX_NAME_CHARACTERS = 100;

/** The calls of a turn, admitted or refused, and the message to keep of it. */
export interface AdmittedTurn {
  readonly calls: readonly AdmittedCall[];
  readonly parts: readonly AssistantPart[];
  /** What people are asked, for as far as the machine lets the calls pass. */
  readonly approvals: readonly DraftApproval[];
}

/** Of whom the calls are, and how a person is asked about one. */
export interface AdmissionContext {
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  readonly newApprovalId: () => string;
}

/** Takes the first steps of every call: authorise, then check the arguments, then say what a person must be asked. */
export async function admitCalls(
  answer: Pick<ModelTurn, "toolCalls" | "parts">,
  context: AdmissionContext,
): Promise<AdmittedTurn> {
  const approvals: DraftApproval[] = [];
  const calls: AdmittedCall[] = [];
  for (const call of answer.toolCalls) {
    const admitted = admit(call, context.toolset);
    const draft = await draftOf(admitted, context);
    calls.push(draft === undefined ? admitted : withDraft(admitted, draft));
    if (draft !== undefined && "id" in draft) approvals.push(draft);
  }
  const refused = new Map(
    calls.flatMap((call) => (call.admission.refusal === undefined ? [] : [[call.toolCallId, call] as const])),
  );
  return { calls, parts: answer.parts.map((part) => withRecorded(part, refused)), approvals };
}

async function draftOf(
  { toolCallId, name, parameters, admission }: AdmittedCall,
  { execution, agent, toolset, newApprovalId }: AdmissionContext,
): Promise<DraftApproval | Refusal | undefined> {
  const tool = toolset.tools.get(name);
  if (admission.refusal !== undefined || tool?.policyDecision.decision !== "approval_required") return undefined;
  const call = toToolCall(execution, { toolCallId, name, parameters });
  try {
    return await draftApproval(newApprovalId(), { call, tool, agent, execution });
  } catch (error) {
    // What could never be sent is told to the model; nobody is asked about it.
    if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return argumentRefusal(error.message);
    throw error;
  }
}

function withDraft(call: AdmittedCall, draft: DraftApproval | Refusal): AdmittedCall {
  if ("id" in draft) return withApproval(call, draft);
  return {
    ...call,
    parameters: recordableArguments(call.parameters),
    admission: { ...call.admission, refusal: draft },
  };
}

function withApproval(call: AdmittedCall, { id: approvalId, details: { requestHash } }: DraftApproval): AdmittedCall {
  return { ...call, admission: { ...call.admission, approval: { approvalId, requestHash } } };
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

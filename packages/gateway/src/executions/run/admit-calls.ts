import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { cutText } from "@yagate/lib/text/cut-text";
import type { AssistantPart, ModelToolCall, ModelTurn } from "@yagate/models/port";
import { type Agent, type JsonValue, jsonObjectSchema, YagateError } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import { recordableArguments } from "@yagate/tool-definitions/arguments/recordable-arguments";
import type { Refusal, SecretMask, Tool, Toolset } from "../../tools/port.ts";
import { argumentRefusal, leakInArguments } from "../../tools/toolset/refusal.ts";
import { type NewApprovalRequest, newApprovalRequest } from "../approvals/approval-request.ts";
import { originOfArtifact } from "../artifacts/artifact-origin.ts";
import type { AdmittedCall } from "../machine/inputs.ts";
import type { ExecutionState } from "../machine/state.ts";
import { completedHostedTools, type UntrustedRead, untrustedReads } from "../machine/untrusted-reads.ts";
import { applyTaint } from "./taint-policy.ts";
import { toToolCall } from "./to-tool-call.ts";

/** No tool has a longer name than 64 characters; whatever else the model called is only told of. */
const MAX_NAME_CHARACTERS = 100;

/** The calls of a turn, admitted or refused, and the message to keep of it. */
export interface AdmittedTurn {
  readonly calls: readonly AdmittedCall[];
  readonly parts: readonly AssistantPart[];
  /** What people are asked, for as far as the machine lets the calls pass. */
  readonly approvals: readonly NewApprovalRequest[];
}

/** Of whom the calls are, and how a person is asked about one. */
export interface AdmissionContext {
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  /** What the model had read when it asked for the calls. */
  readonly state: Pick<ExecutionState, "turns" | "limits">;
  readonly newApprovalId: () => string;
  /** Drawn for one call, before anything of it is sent. */
  readonly newFrameNonce: () => string;
}

/**
 * Takes the first steps of every call: authorise, then check the arguments, then say what a person must be asked.
 *
 * @param mask - of the secrets that the agent's tools may send; arguments that hold one are kept without it.
 */
export async function admitCalls(
  answer: Pick<ModelTurn, "toolCalls" | "parts" | "hostedCalls">,
  context: AdmissionContext,
  mask?: SecretMask,
): Promise<AdmittedTurn> {
  const reads = readsBefore(answer, context);
  const approvals: NewApprovalRequest[] = [];
  const calls: AdmittedCall[] = [];
  for (const call of answer.toolCalls) {
    const admitted = admit(call, context, reads, mask);
    const draft = await approvalRequestOf(admitted, context);
    calls.push(draft === undefined ? admitted : withRequestOrRefusal(admitted, draft));
    if (draft !== undefined && "id" in draft) approvals.push(draft);
  }
  const changed = new Map(calls.filter(isChanged).map((call) => [call.toolCallId, call]));
  return { calls, parts: answer.parts.map((part) => withRecorded(part, changed)), approvals };
}

function isChanged({ admission: { refusal, leakedSecrets } }: AdmittedCall): boolean {
  return refusal !== undefined || leakedSecrets !== undefined;
}

async function approvalRequestOf(
  { toolCallId, name, parameters, admission }: AdmittedCall,
  { execution, agent, toolset, newApprovalId }: AdmissionContext,
): Promise<NewApprovalRequest | Refusal | undefined> {
  const tool = toolset.tools.get(name);
  const { refusal, policyDecision } = admission;
  if (refusal !== undefined || tool === undefined || policyDecision?.decision !== "approval_required") return undefined;
  const call = toToolCall(execution, { toolCallId, name, parameters });
  try {
    return await newApprovalRequest(newApprovalId(), {
      call,
      tool,
      agent,
      execution,
      policyReason: policyDecision.reason,
    });
  } catch (error) {
    // What could never be sent is told to the model; nobody is asked about it.
    if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
    const [leaked] = admission.leakedSecrets ?? [];
    return leaked === undefined ? argumentRefusal(error.message) : { ...leakInArguments(leaked), isDenied: false };
  }
}

function withRequestOrRefusal(call: AdmittedCall, draft: NewApprovalRequest | Refusal): AdmittedCall {
  if ("id" in draft) return withApproval(call, draft);
  return {
    ...call,
    parameters: recordableArguments(call.parameters),
    admission: { ...call.admission, refusal: draft },
  };
}

function withApproval(
  call: AdmittedCall,
  { id: approvalId, details: { requestHash } }: NewApprovalRequest,
): AdmittedCall {
  return { ...call, admission: { ...call.admission, approval: { approvalId, requestHash } } };
}

/** What the provider ran for this very answer was read before its calls were asked for. */
function readsBefore(
  { hostedCalls }: Pick<ModelTurn, "hostedCalls">,
  { state }: AdmissionContext,
): readonly UntrustedRead[] {
  return [...untrustedReads(state), ...completedHostedTools(hostedCalls).map((tool) => ({ tool, origin: undefined }))];
}

function admit(
  call: ModelToolCall,
  { toolset, state, newFrameNonce }: AdmissionContext,
  reads: readonly UntrustedRead[],
  mask: SecretMask | undefined,
): AdmittedCall {
  const { toolCallId } = call;
  const tool = toolset.tools.get(call.name);
  const searched = mask?.search(call.parameters) ?? { value: call.parameters, names: [] };
  const { value: parameters } = searched;
  const names = [...new Set([...(call.leakedSecrets ?? []), ...searched.names])];
  const refusal = masked(toolset.refusalOf(call), mask) ?? leakRefusal(tool, parameters, names);
  const { projection } = tool?.options ?? {};
  // What this call does, where the tool leaves that to the model: a read asks nobody for what other calls may write.
  const readRisk = tool?.readRiskOf?.(parameters);
  const admission = {
    kind: tool?.kind ?? null,
    sideEffect: tool?.sideEffect ?? null,
    risk: readRisk ?? tool?.risk ?? null,
    policyDecision: tool === undefined ? null : applyTaint(readRisk === undefined ? reads : [], tool),
    ...(names.length === 0 ? {} : { leakedSecrets: names }),
    ...defined({ projection }),
    ...(tool === undefined ? {} : untrustedMark(tool, parameters, state)),
    ...(tool === undefined || !mayBeFramed(tool) ? {} : { frameNonce: newFrameNonce() }),
  };
  if (refusal === undefined) return { toolCallId, name: call.name, parameters, admission };
  const name = mask?.text(call.name) ?? call.name;
  return {
    toolCallId,
    name: cutText(name, MAX_NAME_CHARACTERS + 1),
    parameters: recordableArguments(parameters),
    admission: { ...admission, refusal },
  };
}

/** A network call says either; of all others those that bring what strangers wrote are marked, and pieces of it. */
function untrustedMark(
  { kind, isUntrusted = false, artifactReadBy }: Tool,
  parameters: JsonValue,
  state: Pick<ExecutionState, "turns">,
): Pick<AdmittedCall["admission"], "isUntrusted"> {
  if (kind === "network" || isUntrusted) return { isUntrusted };
  return originOfArtifact(artifactReadBy?.(parameters), state)?.isUntrusted === true ? { isUntrusted: true } : {};
}

/** Pieces of artifacts are framed where the artifact is, and a person may choose another one. */
function mayBeFramed({ kind, isUntrusted = false, artifactReadBy }: Tool): boolean {
  return kind === "network" || isUntrusted || artifactReadBy !== undefined;
}

/** It quotes what the model wrote. */
function masked(refusal: Refusal | undefined, mask: SecretMask | undefined): Refusal | undefined {
  return refusal === undefined || mask === undefined ? refusal : { ...refusal, message: mask.text(refusal.message) };
}

/** A call that leaves as a request of its author's has other rules before this one: its executor refuses it, in their order. */
function leakRefusal(tool: Tool | undefined, parameters: JsonValue, [leaked]: readonly string[]): Refusal | undefined {
  if (leaked === undefined) return undefined;
  const problemOf = tool?.kind === "network" && isJsonObject(parameters) ? tool.problemOf : undefined;
  // With a name in the place of a value it may be no request any more.
  if (problemOf !== undefined && problemOf(jsonObjectSchema.parse(parameters)) === undefined) return undefined;
  return { ...leakInArguments(leaked), isDenied: false };
}

/** The model reads of a call that was refused, or that holds a secret, what the record has of it. */
function withRecorded(part: AssistantPart, changed: ReadonlyMap<string, AdmittedCall>): AssistantPart {
  const call = part.type === "tool_call" ? changed.get(part.toolCallId) : undefined;
  return part.type !== "tool_call" || call === undefined
    ? part
    : { ...part, name: call.name, parameters: call.parameters };
}

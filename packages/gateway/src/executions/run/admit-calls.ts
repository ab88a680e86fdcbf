import type { AdmittedCall } from "@yagate/execution-machine/inputs";
import type { ExecutionState } from "@yagate/execution-machine/state";
import { completedHostedTools, type UntrustedRead, untrustedReads } from "@yagate/execution-machine/untrusted-reads";
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
import { applyTaint } from "./taint-policy.ts";
import { toToolCall } from "./to-tool-call.ts";

/**
 * Maximum length of a recorded tool name, in characters. Names of tools have at most 64; a longer name, invented by the
 * model, is cut to this length.
 */
const MAX_NAME_CHARACTERS = 100;

/** The calls of a model turn with the decisions about them, and the assistant message to store. */
export interface AdmittedTurn {
  readonly calls: readonly AdmittedCall[];
  readonly parts: readonly AssistantPart[];
  /** The approval requests for the calls. The machine may still reject some of the calls. */
  readonly approvals: readonly NewApprovalRequest[];
}

/** The execution that the calls belong to, and the functions that create ids. */
export interface AdmissionContext {
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  /** The state when the model requested the calls. It contains everything that the model had read. */
  readonly state: Pick<ExecutionState, "turns" | "limits">;
  readonly newApprovalId: () => string;
  /** Creates the nonce of the frame around one call's result. The nonce is fixed before the call is sent. */
  readonly newFrameNonce: () => string;
}

/**
 * Decides for every call whether it may run: checks the policy and the arguments, and creates the approval request if
 * one is needed. Returns a promise only if there is a call to approve.
 *
 * @param mask - masks the secrets that the agent's tools may send, so that recorded arguments don't contain them.
 */
export function admitCalls(
  reply: Pick<ModelTurn, "toolCalls" | "parts" | "hostedCalls">,
  context: AdmissionContext,
  mask?: SecretMask,
): AdmittedTurn | Promise<AdmittedTurn> {
  if (reply.toolCalls.length === 0) return { calls: [], parts: reply.parts, approvals: [] };
  const reads = readsBefore(reply, context);
  const calls = reply.toolCalls.map((call) => admit(call, context, reads, mask));
  return calls.some(isAsked) ? withApprovals(reply, calls, context) : toAdmittedTurn(reply, calls, []);
}

/** Creates the approval requests of the calls that need one. */
async function withApprovals(
  reply: Pick<ModelTurn, "parts">,
  admitted: readonly AdmittedCall[],
  context: AdmissionContext,
): Promise<AdmittedTurn> {
  const approvals: NewApprovalRequest[] = [];
  const calls: AdmittedCall[] = [];
  for (const call of admitted) {
    const request = isAsked(call) ? await approvalRequestOf(call, context) : undefined;
    calls.push(request === undefined ? call : withRequestOrRefusal(call, request));
    if (request !== undefined && "id" in request) approvals.push(request);
  }
  return toAdmittedTurn(reply, calls, approvals);
}

function toAdmittedTurn(
  { parts }: Pick<ModelTurn, "parts">,
  calls: readonly AdmittedCall[],
  approvals: readonly NewApprovalRequest[],
): AdmittedTurn {
  if (!calls.some(isChanged)) return { calls, parts, approvals };
  const changed = new Map(calls.filter(isChanged).map((call) => [call.toolCallId, call]));
  return { calls, parts: parts.map((part) => withRecorded(part, changed)), approvals };
}

function isChanged({ admission: { refusal, leakedSecrets } }: AdmittedCall): boolean {
  return refusal !== undefined || leakedSecrets !== undefined;
}

/** Returns whether the call may run once a person approves it. */
function isAsked({ admission: { refusal, policyDecision } }: AdmittedCall): boolean {
  return refusal === undefined && policyDecision?.decision === "approval_required";
}

async function approvalRequestOf(
  { toolCallId, name, parameters, admission }: AdmittedCall,
  { execution, agent, toolset, newApprovalId }: AdmissionContext,
): Promise<NewApprovalRequest | Refusal | undefined> {
  const tool = toolset.tools.get(name);
  const { policyDecision } = admission;
  if (tool === undefined || policyDecision === null) return undefined;
  const withdrawn = await tool.withdrawal?.();
  if (withdrawn !== undefined) return { ...withdrawn, isDenied: false };
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
    // A request that could never be sent needs no approval. The model reads why it was rejected.
    if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
    const [leaked] = admission.leakedSecrets ?? [];
    return leaked === undefined ? argumentRefusal(error.message) : { ...leakInArguments(leaked), isDenied: false };
  }
}

function withRequestOrRefusal(call: AdmittedCall, request: NewApprovalRequest | Refusal): AdmittedCall {
  if ("id" in request) return withApproval(call, request);
  return {
    ...call,
    parameters: recordableArguments(call.parameters),
    admission: { ...call.admission, refusal: request },
  };
}

function withApproval(
  call: AdmittedCall,
  { id: approvalId, details: { requestHash } }: NewApprovalRequest,
): AdmittedCall {
  return { ...call, admission: { ...call.admission, approval: { approvalId, requestHash } } };
}

/**
 * Returns the untrusted content that the model had read when it requested the calls, including the results of
 * provider-run tools in the same reply.
 */
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
  // A tool may let the model choose between reads and writes. A call that only reads needs no approval for writes.
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
  const served = defined({ capability: tool?.capability });
  if (refusal === undefined) return { toolCallId, name: call.name, parameters, ...served, admission };
  const name = mask?.text(call.name) ?? call.name;
  return {
    toolCallId,
    name: cutText(name, MAX_NAME_CHARACTERS + 1),
    parameters: recordableArguments(parameters),
    admission: { ...admission, refusal },
  };
}

/**
 * Returns the `isUntrusted` mark to record: for every network call, and for other calls only if they return untrusted
 * content or part of an artifact that is untrusted.
 */
function untrustedMark(
  { kind, isUntrusted = false, artifactReadBy }: Tool,
  parameters: JsonValue,
  state: Pick<ExecutionState, "turns">,
): Pick<AdmittedCall["admission"], "isUntrusted"> {
  if (kind === "network" || isUntrusted) return { isUntrusted };
  return originOfArtifact(artifactReadBy?.(parameters), state)?.isUntrusted === true ? { isUntrusted: true } : {};
}

/**
 * Returns whether the call needs a nonce. Calls that read artifacts need one too, because the artifact may be untrusted
 * and an approver may choose another artifact.
 */
function mayBeFramed({ kind, isUntrusted = false, artifactReadBy }: Tool): boolean {
  return kind === "network" || isUntrusted || artifactReadBy !== undefined;
}

/** Masks secrets in the message of a refusal, because it may quote the model's arguments. */
function masked(refusal: Refusal | undefined, mask: SecretMask | undefined): Refusal | undefined {
  return refusal === undefined || mask === undefined ? refusal : { ...refusal, message: mask.text(refusal.message) };
}

/**
 * Returns the refusal of a call whose arguments contain a secret. Undefined for a valid call to a network tool whose
 * request the author wrote: the tool's executor makes other checks first, and then rejects the call.
 */
function leakRefusal(tool: Tool | undefined, parameters: JsonValue, [leaked]: readonly string[]): Refusal | undefined {
  if (leaked === undefined) return undefined;
  const problemOf = tool?.kind === "network" && isJsonObject(parameters) ? tool.problemOf : undefined;
  // The recorded arguments contain the secret's name instead of its value, so they may no longer form a valid request.
  if (problemOf !== undefined && problemOf(jsonObjectSchema.parse(parameters)) === undefined) return undefined;
  return { ...leakInArguments(leaked), isDenied: false };
}

/**
 * If a call was rejected or contained a secret, replaces it with its recorded form, which the model reads from now on.
 */
function withRecorded(part: AssistantPart, changed: ReadonlyMap<string, AdmittedCall>): AssistantPart {
  const call = part.type === "tool_call" ? changed.get(part.toolCallId) : undefined;
  return part.type !== "tool_call" || call === undefined
    ? part
    : { ...part, name: call.name, parameters: call.parameters };
}

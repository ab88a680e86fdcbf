import { type Approval, toVisibleLine } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/**
 * Shown for an approval with changed arguments. It contains the request that the approver read; the request with the
 * changed arguments is in the record of its attempts.
 */
const WAS_ASKED = "This is the original request. It was not sent, because the arguments were changed.";

/** Prints the request of an approval and the decision. */
export async function showApproval(invocation: Invocation, id: string): Promise<void> {
  const approval = await (await invocation.client()).approvals.get(id);
  invocation.output.result(approval, () => describeApproval(approval));
}

/** Describes an approval for people: which agent requests what, and the request exactly as it would be sent. */
export function describeApproval(approval: Approval): string {
  const { tool, agentName, agentVersion, request, resolution } = approval;
  const isEdited = resolution?.parameters !== undefined;
  const risk = tool.risk === null ? "" : ` (${tool.risk})`;
  const rows = [
    ["status", statusOf(approval)],
    ["tool", `${tool.name}${risk}: ${tool.description}`],
    ["requested at", approval.requestedAt],
    ["why", approval.policyReason],
    ["agent", `${agentName}, version ${agentVersion}`],
    ["input", approval.inputPreview],
    ["execution", approval.executionId],
    ["tool call", approval.toolCallId],
    [isEdited ? "asked with" : "arguments", JSON.stringify(approval.parameters)],
    ...resolutionOf(approval),
    [isEdited ? "requested hash" : "hash", approval.requestHash],
    ...(resolution?.requestHash === undefined ? [] : [["hash", resolution.requestHash] as const]),
  ];
  const heading = isEdited && request !== null ? [WAS_ASKED, ""] : [];
  return [toVisibleLine(approval.id), "", table(rows), "", ...heading, ...requestOf(request)].join("\n");
}

function statusOf({ status, expiresAt }: Approval): string {
  return status === "pending" ? `pending, until ${expiresAt}` : status;
}

function resolutionOf({ resolution }: Approval): readonly (readonly [string, string])[] {
  if (resolution === null) return [];
  const { at, keyId, isSelfApproval, comment, reason, parameters } = resolution;
  const who = keyId === undefined ? "" : ` by ${keyId ?? "the bootstrap key"}`;
  const self = isSelfApproval === true ? ", which also started the execution" : "";
  return [
    ["answered", `${at}${who}${self}`],
    ...(comment === undefined ? [] : [["comment", comment] as const]),
    ...(reason === undefined ? [] : [["reason", reason] as const]),
    ...(parameters === undefined ? [] : [["changed to", JSON.stringify(parameters)] as const]),
  ];
}

function requestOf(request: Approval["request"]): readonly string[] {
  if (request === null) return ["Nothing is sent: the tool runs inside the gateway."];
  const { method, url, headers, body } = request;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`${method} ${url}`, ...fields].map(toVisibleLine);
  return [...lines, "", toVisibleLine(body)];
}

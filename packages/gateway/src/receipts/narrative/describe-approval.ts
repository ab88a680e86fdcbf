import type { EventOf, NarrativeContext } from "./event-of.ts";
import { capital, keyName, quote, sentence } from "./phrases.ts";

export function describeApprovalRequested(event: EventOf<"approval.requested">, context: NarrativeContext): string {
  const { toolCallId, approvalId, expiresAt, requestHash } = event;
  const name = context.nameOf(toolCallId);
  return `A person was asked whether ${name} may run (${approvalId}), until ${expiresAt}. The hash of what would be sent: ${requestHash}.`;
}

export function describeApprovalResolved(event: EventOf<"approval.resolved">, context: NarrativeContext): string {
  const name = context.nameOf(event.toolCallId);
  switch (event.status) {
    case "expired":
      return `No decision was made in time on whether ${name} may run.`;
    case "cancelled":
      return `The question whether ${name} may run was withdrawn: the execution ended before a decision was made.`;
    case "approved":
      return [`${whoOf(event)} allowed ${name}${editOf(event)}.`, selfOf(event), said("Comment", event.comment)].join(
        "",
      );
    case "denied":
      return [`${whoOf(event)} refused ${name}.`, selfOf(event), said("Reason", event.reason)].join("");
  }
}

function whoOf({ keyId }: EventOf<"approval.resolved">): string {
  return keyId === undefined ? "A person" : capital(keyName(keyId));
}

function editOf({ parameters, requestHash }: EventOf<"approval.resolved">): string {
  if (parameters === undefined) return "";
  const hash = requestHash === undefined ? "" : `, which come to ${requestHash}`;
  return ` with other arguments than the model's: ${quote(parameters)}${hash}`;
}

function selfOf({ isSelfApproval }: EventOf<"approval.resolved">): string {
  return isSelfApproval === true ? " It is the key that had started the execution." : "";
}

function said(label: string, text: string | undefined): string {
  return text === undefined ? "" : ` ${label}: ${sentence(quote(text))}`;
}

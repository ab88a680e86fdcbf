import type { EventOf, NarrativeContext } from "./event-of.ts";
import { capital, keyName, quote, sentence } from "./phrases.ts";

export function describeApprovalRequested(event: EventOf<"approval.requested">, context: NarrativeContext): string {
  const { toolCallId, approvalId, expiresAt, requestHash } = event;
  const name = context.nameOf(toolCallId);
  return `Approval of ${name} was requested (${approvalId}), until ${expiresAt}. Hash of the request: ${requestHash}.`;
}

export function describeApprovalResolved(event: EventOf<"approval.resolved">, context: NarrativeContext): string {
  const name = context.nameOf(event.toolCallId);
  switch (event.status) {
    case "expired":
      return `The approval request for ${name} expired without a decision.`;
    case "cancelled":
      return `The approval request for ${name} was withdrawn: the execution ended before a decision was made.`;
    case "approved":
      return [
        `${deciderOf(event)} approved ${name}${editOf(event)}.`,
        selfOf(event),
        labelled("Comment", event.comment),
      ].join("");
    case "denied":
      return [`${deciderOf(event)} denied ${name}.`, selfOf(event), labelled("Reason", event.reason)].join("");
  }
}

function deciderOf({ keyId }: EventOf<"approval.resolved">): string {
  return keyId === undefined ? "A person" : capital(keyName(keyId));
}

function editOf({ parameters, requestHash }: EventOf<"approval.resolved">): string {
  if (parameters === undefined) return "";
  const hash = requestHash === undefined ? "" : ` (hash of the request: ${requestHash})`;
  return ` with edited arguments: ${quote(parameters)}${hash}`;
}

function selfOf({ isSelfApproval }: EventOf<"approval.resolved">): string {
  return isSelfApproval === true ? " The same key started the execution." : "";
}

function labelled(label: string, text: string | undefined): string {
  return text === undefined ? "" : ` ${label}: ${sentence(quote(text))}`;
}

import type { EventOf, NarrativeContext } from "./event-of.ts";
import { capital, countOf, keyName, quote } from "./phrases.ts";

export function describeInputRequested(event: EventOf<"input.requested">, context: NarrativeContext): string {
  const { toolCallId, round, questions, expiresAt } = event;
  const name = context.nameOf(toolCallId);
  if (questions.length === 0) return `${name} asked to be called again, in round ${round}.`;
  const asked = questions.map(({ mode, message, url }) =>
    mode === "url" ? `to open ${quote(url)}: ${quote(message)}` : `a form: ${quote(message)}`,
  );
  const count = countOf(questions.length, "question");
  return `${name} asked ${count} in round ${round}, until ${expiresAt}: ${asked.join("; ")}.`;
}

export function describeInputReceived(event: EventOf<"input.received">, context: NarrativeContext): string {
  const { toolCallId, round, keyId, answers } = event;
  const who = capital(keyName(keyId));
  return `${who} answered round ${round} of the questions of ${context.nameOf(toolCallId)}: ${quote(answers)}.`;
}

export function describeInputDelivered(event: EventOf<"input.delivered">, context: NarrativeContext): string {
  const { toolCallId, round } = event;
  return `The server of ${context.nameOf(toolCallId)} received the answers of round ${round}.`;
}

export function describeTaskCreated(event: EventOf<"task.created">, context: NarrativeContext): string {
  const { toolCallId, taskId, expiresAt } = event;
  const name = context.nameOf(toolCallId);
  return `The server continued ${name} as its task ${quote(taskId)}. The gateway polled it until ${expiresAt} at most.`;
}

export function describeInputWithdrawn(event: EventOf<"input.withdrawn">, context: NarrativeContext): string {
  const { toolCallId, round, status } = event;
  const subject = `Round ${round} of the questions of ${context.nameOf(toolCallId)}`;
  if (status === "expired") return `${subject} expired without an answer.`;
  return `${subject} was withdrawn: the call ended before an answer.`;
}

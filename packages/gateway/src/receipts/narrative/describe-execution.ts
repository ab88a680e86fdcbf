import { type Cost, type ExecutionInput, toVisibleLine, type Usage } from "@yagate/protocol";
import type { EventOf, NarrativeContext } from "./event-of.ts";
import { capital, costText, countOf, keyName, quote, sentence, tokensText } from "./phrases.ts";

export function describeStarted({ agentId, agentVersion, input }: EventOf<"execution.started">, context: NarrativeContext): string {
  const who = keyName(context.keyId);
  return `${capital(who)} asked the agent ${agentId}, version ${agentVersion}: ${question(input)}`;
}

function question(input: ExecutionInput): string {
  if (typeof input === "string") return sentence(quote(input));
  const earlier = input.length - 1;
  const asked = quote(input.at(-1)?.content ?? "");
  return earlier === 0 ? sentence(asked) : `${asked}, after ${countOf(earlier, "earlier message")}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  fallback: "for an answer in the place of a failed call",
  retry: "before something is tried again",
  approval: "for a person's approval",
  callback: "for an asynchronous result",
};

export function describeWaiting({ reason, until }: EventOf<"execution.waiting">): string {
  if (reason === "restart") return "The gateway was stopped in between; the execution went on when it ran again.";
  return `The execution waited ${REASONS[reason] ?? "for something"}, until ${until} at the latest.`;
}

export function describeLimit({ limit, message }: EventOf<"limit.reached">): string {
  return `The execution was ended by its limit ${limit}: ${sentence(toVisibleLine(message))}`;
}

/** Ends that no limit made. */
const ENDS: Readonly<Record<string, string>> = {
  final: "completed",
  refused: "completed with a refusal of the model",
  truncated: "completed with an answer that was cut off at the model's length limit",
  empty: "completed without an answer: the model said nothing",
};

export function describeCompletion(event: EventOf<"execution.completed">): string {
  const { stopReason, output, usage, cost } = event;
  const why = ENDS[stopReason] ?? `completed early, by its limit ${stopReason}`;
  return `The execution ${why}. Its answer: ${sentence(quote(output.text))} ${spending(usage, cost)}`;
}

export function describeFailure({ error, usage, cost }: EventOf<"execution.failed">): string {
  return `The execution failed. ${sentence(`${toVisibleLine(error.code)}: ${toVisibleLine(error.message)}`)} ${spending(usage, cost)}`;
}

export function describeCancellation({ usage, cost }: EventOf<"execution.cancelled">): string {
  return `The execution was cancelled. ${spending(usage, cost)}`;
}

/** What it used and cost in all. */
export function spending(usage: Usage, cost: Cost): string {
  const hosted = usage.hostedToolCalls ?? 0;
  const provider = hosted === 0 ? "" : `, ${countOf(hosted, "call")} that the model's provider ran itself`;
  return `In all: ${countOf(usage.toolCalls, "tool call")}${provider}, ${tokensText(usage)}, ${costText(cost)}.`;
}

import { type Cost, type ExecutionInput, toVisibleLine, type Usage } from "@yagate/protocol";
import type { EventOf, NarrativeContext } from "./event-of.ts";
import { capital, costText, countOf, keyName, quote, sentence, tokensText } from "./phrases.ts";

export function describeStarted(
  {
    agentId,
    agentVersion,
    input,
    sourceTools = [],
    heldTools,
    toolSearch,
    mode,
    replayOf,
  }: EventOf<"execution.started">,
  context: NarrativeContext,
): string {
  const caller = capital(keyName(context.keyId));
  const started = `${caller} started the agent ${agentId}, version ${agentVersion}, with the input ${inputText(input)}`;
  const ofRecording = [
    ...(replayOf === undefined ? [] : [`It replays ${replayOf}.`]),
    ...(mode === undefined
      ? []
      : ["Replies of the model and outcomes of tool calls come from a recording; nothing is sent."]),
  ];
  const ofSources = [
    ...(sourceTools.length === 0 ? [] : [sourceToolsText(sourceTools)]),
    ...(heldTools === undefined ? [] : [heldToolsText(heldTools)]),
    ...(toolSearch === undefined ? [] : [deferralText(toolSearch)]),
  ];
  return [started, ...ofRecording, ...ofSources].join(" ");
}

/** Maximum number of tools that the text names. The record names all. */
const MAX_NAMED_TOOLS = 20;
/** Length of the part of a hash that the text shows: `sha256:` and 12 digits. */
const SHOWN_HASH_CHARACTERS = 19;

function sourceToolsText(tools: NonNullable<EventOf<"execution.started">["sourceTools"]>): string {
  const named = tools
    .slice(0, MAX_NAMED_TOOLS)
    .map(({ name, hash }) => `${toVisibleLine(name)} (${toVisibleLine(hash.slice(0, SHOWN_HASH_CHARACTERS))})`);
  const rest = tools.length > MAX_NAMED_TOOLS ? ` and ${tools.length - MAX_NAMED_TOOLS} more` : "";
  return `It used the definitions of ${countOf(tools.length, "tool")} from tool sources: ${named.join(", ")}${rest}.`;
}

function heldToolsText({ count, names }: NonNullable<EventOf<"execution.started">["heldTools"]>): string {
  const rest = count > names.length ? ` and ${count - names.length} more` : "";
  return `It did not get ${countOf(count, "tool")} whose definition had not been accepted: ${names.map(toVisibleLine).join(", ")}${rest}.`;
}

function deferralText({ deferred, shown }: NonNullable<EventOf<"execution.started">["toolSearch"]>): string {
  const found = `It deferred ${countOf(deferred, "tool")}, which its model had to find with tool_search.`;
  return shown.length === 0 ? found : `${found} Every model turn carried ${namesText(shown)}.`;
}

/** Names the capability that serves each intent, or why none does. */
export function describeRoute({ intents, toolChoice, rules }: EventOf<"route.decided">): string {
  const served = intents.map(({ intent, chosen, visibility, refused }) => {
    if (chosen !== null) return `${toVisibleLine(intent)} by ${toVisibleLine(chosen)}`;
    if (visibility === "hidden") return `${toVisibleLine(intent)} is hidden`;
    const reasons = Object.entries(refused).map(([key, code]) => `${key}: ${code}`);
    return toVisibleLine(`${intent} by nothing${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}`);
  });
  return [
    served.length === 0
      ? "The gateway decided about the tools."
      : `The gateway decided what serves the intents: ${served.join("; ")}.`,
    ...(rules.length === 0
      ? []
      : [`It applied ${countOf(rules.length, "rule")}: ${rules.map(({ name }) => toVisibleLine(name)).join(", ")}.`]),
    ...(toolChoice === "auto" ? [] : [`Tool calls were ${toolChoice}.`]),
  ].join(" ");
}

export function describeRouteChanged(
  { toolCallId, from, to, error: { code, message } }: EventOf<"route.changed">,
  context: NarrativeContext,
): string {
  const reason = toVisibleLine(`${code}: ${message}`);
  return `${context.nameOf(toolCallId)} moved from ${toVisibleLine(from.key)} to ${toVisibleLine(to.key)}, because ${toVisibleLine(from.key)} failed with ${sentence(reason)}`;
}

export function describeToolsLoaded(
  { toolCallId, tools, reason }: EventOf<"tools.loaded">,
  context: NarrativeContext,
): string {
  const name = context.nameOf(toolCallId);
  if (reason === "call") return `The call loaded ${namesText(tools)}, which had been deferred.`;
  return `${name} loaded ${countOf(tools.length, "tool")}: ${namesText(tools)}.`;
}

function namesText(names: readonly string[]): string {
  const rest = names.length > MAX_NAMED_TOOLS ? ` and ${names.length - MAX_NAMED_TOOLS} more` : "";
  return `${names.slice(0, MAX_NAMED_TOOLS).map(toVisibleLine).join(", ")}${rest}`;
}

function inputText(input: ExecutionInput): string {
  if (typeof input === "string") return sentence(quote(input));
  const earlier = input.length - 1;
  const last = quote(input.at(-1)?.content ?? "");
  return earlier === 0 ? sentence(last) : `${last}, after ${countOf(earlier, "earlier message")}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  fallback: "for a fallback for a failed call",
  retry: "before a retry",
  approval: "for a person's approval",
  callback: "for an asynchronous result",
  input: "for a person's answers",
  task: "for the task of an MCP server",
};

export function describeWaiting({ reason, until }: EventOf<"execution.waiting">): string {
  if (reason === "restart") return "The gateway stopped and restarted; the execution continued.";
  return `The execution waited ${REASONS[reason] ?? "for something"}, until ${until} at the latest.`;
}

export function describeLimit({ limit, message }: EventOf<"limit.reached">): string {
  return `The execution reached its limit ${limit}: ${sentence(toVisibleLine(message))}`;
}

/** How an execution that reached no limit ended, by stop reason. */
const ENDS: Readonly<Record<string, string>> = {
  final: "completed",
  refused: "completed: the model refused",
  truncated: "completed with a reply that was cut off at the model's length limit",
  citations_missing: "completed with an answer that cites nothing that it has found, although citations are required",
  empty: "completed without a reply: the model returned nothing",
};

export function describeCompletion(event: EventOf<"execution.completed">): string {
  const { stopReason, output, usage, cost } = event;
  const why = ENDS[stopReason] ?? `completed early at its limit ${stopReason}`;
  return `The execution ${why}. Its output: ${sentence(quote(output.text))} ${spending(usage, cost)}`;
}

export function describeFailure({ error, usage, cost }: EventOf<"execution.failed">): string {
  return `The execution failed. ${sentence(`${toVisibleLine(error.code)}: ${toVisibleLine(error.message)}`)} ${spending(usage, cost)}`;
}

export function describeCancellation({ usage, cost }: EventOf<"execution.cancelled">): string {
  return `The execution was cancelled. ${spending(usage, cost)}`;
}

/** Describes the total usage and cost. */
export function spending(usage: Usage, cost: Cost): string {
  const hosted = usage.hostedToolCalls ?? 0;
  const provider = hosted === 0 ? "" : `, ${countOf(hosted, "hosted tool call")} run by the model's provider`;
  return `Total: ${countOf(usage.toolCalls, "tool call")}${provider}, ${tokensText(usage)}, ${costText(cost)}.`;
}

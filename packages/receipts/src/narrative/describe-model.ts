import { type HostedCall, type Source, toVisibleLine } from "@yagate/protocol";
import type { EventOf } from "./event-of.ts";
import { costText, countOf, isFree, quote, sentence, tokensText } from "./phrases.ts";

export function describeModelRequested({ turn, attempt, model, isRecorded }: EventOf<"model.requested">): string {
  if (isRecorded === true)
    return `Model turn ${turn}: a recorded reply was used instead of a request to ${toVisibleLine(model)}.`;
  const again = attempt === 1 ? "" : ` for the ${ordinal(attempt)} time`;
  return `Model turn ${turn}: ${toVisibleLine(model)} was called${again}.`;
}

export function describeModelFailed({ turn, error, retryAt, isInterruption, cost }: EventOf<"model.failed">): string {
  const what =
    isInterruption === true
      ? "the gateway stopped while the request was in progress"
      : `the model failed with ${toVisibleLine(error.code)}: ${toVisibleLine(error.message)}${reasonOf(error)}`;
  const next = retryAt === null ? "There is no retry." : `The next attempt is at ${retryAt}.`;
  const price = cost === undefined || isFree(cost) ? "" : ` It cost ${costText(cost)}.`;
  return `Model turn ${turn}: ${sentence(what)} ${next}${price}`;
}

function reasonOf({ developerMessage }: EventOf<"model.failed">["error"]): string {
  return developerMessage === undefined ? "" : ` (${toVisibleLine(developerMessage)})`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  length: " The reply was cut off at the model's length limit, so any tool calls in it were not run.",
  refused: " The model refused.",
  error: " The model's provider reported an error.",
  other: " The provider gave no reason why the model stopped.",
};

export function describeModelResponded(event: EventOf<"model.responded">): string {
  const { turn, text, toolCalls, finishReason, usage, cost, hostedCalls = [], sources = [] } = event;
  const reply = text === "" ? "" : `replied ${quote(text)}`;
  const requested = toolCalls.length === 0 ? "" : `requested ${countOf(toolCalls.length, "tool call")}`;
  const action = [reply, requested].filter((part) => part !== "").join(" and ") || "returned nothing";
  const price = isFree(cost) ? "" : `, for ${costText(cost)}`;
  const ending = ENDINGS[finishReason] ?? "";
  return [
    `Model turn ${turn}: the model ${action} (${tokensText(usage)}${price}).${ending}`,
    ...hostedCalls.map(describeHosted),
    ...(sources.length === 0 ? [] : [`Sources: ${sources.map(sourceName).join(", ")}.`]),
  ].join(" ");
}

function describeHosted({ name, input, status }: HostedCall): string {
  const outcome = { completed: "it completed", failed: "it failed", pending: "its result is pending" }[status];
  return `The model's provider ran ${toVisibleLine(name)} with ${quote(input)}: ${outcome}.`;
}

function sourceName({ url, title }: Source): string {
  if (url === undefined) return title === undefined ? "an unnamed source" : quote(title);
  return toVisibleLine(url);
}

function ordinal(number: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[number % 100 > 10 && number % 100 < 20 ? 0 : number % 10] ?? "th";
  return `${number}${ending}`;
}

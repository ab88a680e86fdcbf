import { type HostedCall, type Source, toVisibleLine } from "@yagate/protocol";
import type { EventOf } from "./event-of.ts";
import { costText, countOf, isFree, quote, sentence, tokensText } from "./phrases.ts";

export function describeModelRequested({ turn, attempt, model }: EventOf<"model.requested">): string {
  const again = attempt === 1 ? "" : `, for the ${ordinal(attempt)} time`;
  return `Turn ${turn}: the model ${toVisibleLine(model)} was asked${again}.`;
}

export function describeModelFailed({ turn, error, retryAt, isInterruption, cost }: EventOf<"model.failed">): string {
  const what =
    isInterruption === true
      ? "the gateway was stopped while the model was being asked"
      : `the model failed with ${toVisibleLine(error.code)}: ${toVisibleLine(error.message)}${reasonOf(error)}`;
  const next = retryAt === null ? "It is not asked again." : `It is asked again at ${retryAt}.`;
  const price = cost === undefined || isFree(cost) ? "" : ` What it had done cost ${costText(cost)}.`;
  return `Turn ${turn}: ${sentence(what)} ${next}${price}`;
}

function reasonOf({ developerMessage }: EventOf<"model.failed">["error"]): string {
  return developerMessage === undefined ? "" : ` (${toVisibleLine(developerMessage)})`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  length: " The answer was cut off at the model's limit, so none of its calls ran.",
  refused: " The model refused to answer.",
  error: " The model's provider reported an error.",
  other: " The model stopped for a reason that its provider did not name.",
};

export function describeModelResponded(event: EventOf<"model.responded">): string {
  const { turn, text, toolCalls, finishReason, usage, cost, hostedCalls = [], sources = [] } = event;
  const said = text === "" ? "" : `answered ${quote(text)}`;
  const asked = toolCalls.length === 0 ? "" : `asked for ${countOf(toolCalls.length, "tool call")}`;
  const did = [said, asked].filter((part) => part !== "").join(" and ") || "answered nothing";
  const price = isFree(cost) ? "" : `, for ${costText(cost)}`;
  const ending = ENDINGS[finishReason] ?? "";
  return [
    `Turn ${turn}: the model ${did} (${tokensText(usage)}${price}).${ending}`,
    ...hostedCalls.map(describeHosted),
    ...(sources.length === 0 ? [] : [`It names as sources: ${sources.map(sourceName).join(", ")}.`]),
  ].join(" ");
}

function describeHosted({ name, input, status }: HostedCall): string {
  const became = { completed: "it completed", failed: "it failed", pending: "its result is still to come" }[status];
  return `The model's provider itself ran ${toVisibleLine(name)} with ${quote(input)}: ${became}.`;
}

function sourceName({ url, title }: Source): string {
  if (url === undefined) return title === undefined ? "one without a name" : quote(title);
  return toVisibleLine(url);
}

function ordinal(number: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[number % 100 > 10 && number % 100 < 20 ? 0 : number % 10] ?? "th";
  return `${number}${ending}`;
}

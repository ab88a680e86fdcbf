import { toRecord } from "../hosted/record.ts";
import { type ChatDialect, toEnvelope, toMessage, toUsage } from "./chat-dialect.ts";
import { readCalls, UNNAMED } from "./repaired-calls.ts";
import { readEnd } from "./repaired-end.ts";
import { readWords, wordsTogether } from "./repaired-message.ts";
import { readChatUsage } from "./repaired-usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts a complete chat completion from a compatible server to the form that the AI SDK parses. Returns `undefined`
 * if the response is an error or not a chat completion; such a response is passed on unchanged.
 */
export function repairedCompletion(value: unknown, dialect: ChatDialect): Fields | undefined {
  const answer = toRecord(value);
  if (answer === undefined || !Array.isArray(answer["choices"]) || isFault(answer["error"])) return undefined;
  const choices = choicesOfFirst(choicesIn(answer));
  const error = choices.map((choice) => choice["error"]).find(isFault);
  if (error !== undefined) return { error };
  return {
    ...toEnvelope(answer, "chat.completion"),
    choices: choices.length === 0 ? [] : [repairedChoice(choices, dialect)],
    ...toUsage(readChatUsage(answer), dialect, true),
  };
}

function repairedChoice(choices: readonly Fields[], dialect: ChatDialect): Fields {
  const said = choices.map((choice) => saidIn(choice, "message"));
  const words = wordsTogether(said.map(readWords));
  const calls = said.flatMap(readCalls).map(({ hasIndex: _hasIndex, ...call }) => ({
    ...call,
    id: call.id ?? "",
    function: { ...call.function, name: call.function.name ?? UNNAMED },
  }));
  const isSilent = words.text === "" && words.refusal === "" && calls.length === 0;
  // A complete response counts as finished even without a finish reason.
  const silentEnd = isSilent ? null : calls.length > 0 ? "tool_calls" : "stop";
  return {
    index: 0,
    message: toMessage(words, calls, dialect),
    finish_reason: endOf(choices) ?? silentEnd,
  };
}

/** Returns the first finish reason among the choices; null if none has one. */
export function endOf(choices: readonly Fields[]): string | null {
  return choices.map((choice) => readEnd(choice["finish_reason"])).find((end) => end !== null) ?? null;
}

/** Returns the choices of a response or chunk, without entries that are not objects. */
export function choicesIn(answer: Fields): readonly Fields[] {
  const { choices } = answer;
  return (Array.isArray(choices) ? choices : []).map(toRecord).filter((choice) => choice !== undefined);
}

/**
 * Selects the choices of the first alternative. Choices without an index form one reply: GitHub Copilot puts the text
 * and each call into separate choices.
 */
function choicesOfFirst(choices: readonly Fields[]): readonly Fields[] {
  const first = choices.filter(({ index }) => index === 0);
  if (first.length > 0) return first;
  const unnumbered = choices.filter(({ index }) => typeof index !== "number");
  return unnumbered.length > 0 ? unnumbered : choices.slice(0, 1);
}

/**
 * Returns the message in a choice. Servers may send it as a chunk, as a complete message, or as plain text like older
 * APIs, whichever was requested.
 */
export function saidIn(choice: Fields, field: "message" | "delta"): Fields {
  const other = field === "message" ? "delta" : "message";
  const { text } = choice;
  return toRecord(choice[field]) ?? toRecord(choice[other]) ?? (typeof text === "string" ? { content: text } : {});
}

/**
 * Checks whether the field `error` contains an error. Servers that always send the field use null, an empty string or
 * false if there is none.
 */
export function isFault(error: unknown): boolean {
  return error !== undefined && error !== null && error !== "" && error !== false;
}

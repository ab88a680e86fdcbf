import { toRecord } from "../hosted/record.ts";
import { type ChatDialect, toEnvelope, toMessage, toUsage } from "./chat-dialect.ts";
import { readCalls, UNNAMED } from "./repaired-calls.ts";
import { readEnd } from "./repaired-end.ts";
import { readWords, wordsTogether } from "./repaired-message.ts";
import { readChatUsage } from "./repaired-usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Brings a whole chat completion into the form that the AI SDK reads, whatever a compatible server made of it.
 * `undefined`: it is none, or an error, and is to be read as it is.
 */
export function repairedAnswer(value: unknown, dialect: ChatDialect): Fields | undefined {
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
  // An answer that came at once came to its end, also where nothing says so.
  const silentEnd = isSilent ? null : calls.length > 0 ? "tool_calls" : "stop";
  return {
    index: 0,
    message: toMessage(words, calls, dialect),
    finish_reason: endOf(choices) ?? silentEnd,
  };
}

/** Why an answer ended, in the first of its choices that says so. */
export function endOf(choices: readonly Fields[]): string | null {
  return choices.map((choice) => readEnd(choice["finish_reason"])).find((end) => end !== null) ?? null;
}

/** The choices that an answer or a piece of one has; what is no object is none. */
export function choicesIn(answer: Fields): readonly Fields[] {
  const { choices } = answer;
  return (Array.isArray(choices) ? choices : []).map(toRecord).filter((choice) => choice !== undefined);
}

/**
 * Where several answers were made, the first one is the answer. Choices without an index are one answer: GitHub Copilot
 * puts the words and each call into a choice of its own.
 */
function choicesOfFirst(choices: readonly Fields[]): readonly Fields[] {
  const first = choices.filter(({ index }) => index === 0);
  if (first.length > 0) return first;
  const unnumbered = choices.filter(({ index }) => typeof index !== "number");
  return unnumbered.length > 0 ? unnumbered : choices.slice(0, 1);
}

/** What a choice says: some servers send pieces as messages, messages as pieces, or bare text as older APIs do. */
export function saidIn(choice: Fields, field: "message" | "delta"): Fields {
  const other = field === "message" ? "delta" : "message";
  const { text } = choice;
  return toRecord(choice[field]) ?? toRecord(choice[other]) ?? (typeof text === "string" ? { content: text } : {});
}

/** Servers that always have the field say null, an empty text or false in it. */
export function isFault(error: unknown): boolean {
  return error !== undefined && error !== null && error !== "" && error !== false;
}

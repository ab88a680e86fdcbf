import { toRecord } from "../hosted/record.ts";
import { RESPONSE_LIMITS } from "../response-limits.ts";
import { ChatStream } from "./chat-stream.ts";
import { type ChatCall, readCalls } from "./repaired-calls.ts";
import { choicesIn, endOf, isFault, saidIn } from "./repaired-completion.ts";
import { readWords, wordsTogether } from "./repaired-message.ts";
import { RepairedPieces } from "./repaired-pieces.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Joins the chunks of a stream into one response, for servers that stream although the request did not ask for a
 * stream. Returns `undefined` if the text is not a stream or the stream is incomplete.
 */
export function joinedStream(text: string): Fields | undefined {
  if (!hasFewLines(text)) return undefined;
  const stream = new ChatStream(new RepairedPieces("openai"));
  const pieces = readPieces(stream.take(text) + stream.end());
  if (pieces === undefined) return undefined;
  const failed = pieces.find(({ error }) => isFault(error));
  if (failed !== undefined) return failed;
  const choices = pieces.flatMap(choicesIn);
  const end = endOf(choices);
  if (end === null && !stream.isDone) return undefined;
  const said = choices.map((choice) => saidIn(choice, "delta"));
  const { text: content, reasoning, refusal } = wordsTogether(said.map(readWords));
  const tool_calls = joinedCalls(said.flatMap(readCalls));
  return {
    ...pieces[0],
    choices: [
      { index: 0, message: { content, reasoning_content: reasoning, refusal, tool_calls }, finish_reason: end },
    ],
    usage: pieces.findLast(({ usage }) => usage !== undefined)?.["usage"],
  };
}

/**
 * Maximum number of lines. Limited because the text is parsed synchronously. Each chunk contains at least one object,
 * and each event has up to four lines: name, id, data and a blank line.
 */
const MAX_LINES = 4 * RESPONSE_LIMITS.containers;

function hasFewLines(text: string): boolean {
  let lines = 0;
  for (const _end of text.matchAll(/\r\n|\n|\r/g)) {
    lines += 1;
    if (lines > MAX_LINES) return false;
  }
  return true;
}

/** Parses the chunks of a repaired stream. Returns `undefined` if any of them is not JSON. */
function readPieces(events: string): readonly Fields[] | undefined {
  try {
    return events.split("\n").flatMap((line) => {
      const data = line.slice("data: ".length);
      return data === "" || data === "[DONE]" ? [] : [toRecord(JSON.parse(data)) ?? {}];
    });
  } catch {
    return undefined;
  }
}

/** Joins the chunks of each call. A chunk that repeats an earlier index with a different id starts another call. */
function joinedCalls(pieces: readonly ChatCall[]): readonly ChatCall[] {
  const calls: ChatCall[] = [];
  const places = new Map<number, number>();
  for (const piece of pieces) {
    const place = places.get(piece.index);
    const begun = place === undefined ? undefined : calls[place];
    const isOther = begun !== undefined && piece.id !== null && begun.id !== null && piece.id !== begun.id;
    if (place === undefined || begun === undefined || isOther) places.set(piece.index, calls.push(piece) - 1);
    else calls[place] = together(begun, piece);
  }
  return calls;
}

function together(begun: ChatCall, piece: ChatCall): ChatCall {
  const { name } = begun.function;
  return {
    ...piece,
    ...begun,
    id: begun.id ?? piece.id,
    function: {
      name: name ?? piece.function.name,
      arguments: begun.function.arguments + piece.function.arguments,
    },
  };
}

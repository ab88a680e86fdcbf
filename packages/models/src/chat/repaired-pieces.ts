import { toRecord } from "../hosted/record.ts";
import { CallPieces } from "./call-pieces.ts";
import { type ChatDialect, toEnvelope, toMessage, toUsage } from "./chat-dialect.ts";
import type { PieceRepair } from "./chat-stream.ts";
import type { ChatCall } from "./repaired-calls.ts";
import { choicesIn, endOf, isFault, saidIn } from "./repaired-completion.ts";
import { readWords, wordsTogether } from "./repaired-message.ts";
import { readChatUsage } from "./repaired-usage.ts";

type Fields = Readonly<Record<string, unknown>>;

const NO_WORDS = { text: "", reasoning: "", refusal: "" };

/** Converts the chunks of one streamed chat completion to the form that the AI SDK parses. */
export class RepairedPieces implements PieceRepair {
  readonly #dialect: ChatDialect;
  readonly #calls = new CallPieces();
  #hasText = false;
  #hasEnd = false;
  #hasFailed = false;

  constructor(dialect: ChatDialect) {
    this.#dialect = dialect;
  }

  take(value: unknown): Fields | undefined {
    const piece = toRecord(value);
    if (piece === undefined || !isPiece(piece)) return undefined;
    const choices = choicesIn(piece).filter(({ index }) => !isOther(index));
    const error = [piece, ...choices].map((part) => part["error"]).find(isFault);
    if (error !== undefined) {
      this.#hasFailed = true;
      return { error: toRecord(error) ?? { message: String(error) } };
    }
    const said = choices.map((choice) => saidIn(choice, "delta"));
    const words = wordsTogether(said.map(readWords));
    this.#hasText ||= words.text !== "" || words.refusal !== "";
    const end = endOf(choices);
    this.#hasEnd ||= end !== null;
    return this.#toPiece({ envelope: piece, words, calls: said.flatMap((part) => this.#calls.take(part)), end });
  }

  end(isDone: boolean): Fields | undefined {
    if (this.#hasFailed || !(isDone || this.#hasEnd)) return undefined;
    const calls = this.#calls.end();
    const hasCalls = this.#calls.hasBegun;
    const isSilent = !this.#hasText && !hasCalls;
    const end = this.#hasEnd || isSilent ? null : hasCalls ? "tool_calls" : "stop";
    if (calls.length === 0 && end === null) return undefined;
    return this.#toPiece({ envelope: {}, words: NO_WORDS, calls, end });
  }

  #toPiece({ envelope, words, calls, end }: Piece): Fields {
    return {
      ...toEnvelope(envelope, "chat.completion.chunk"),
      choices: [{ index: 0, delta: toMessage(words, calls, this.#dialect), finish_reason: end }],
      ...toUsage(readChatUsage(envelope), this.#dialect, false),
    };
  }
}

interface Piece {
  readonly envelope: Fields;
  readonly words: typeof NO_WORDS;
  readonly calls: readonly ChatCall[];
  readonly end: string | null;
}

/**
 * Checks whether an object is a chunk of a chat completion. A chunk that contains only usage or prompt moderation has
 * no choices.
 */
function isPiece({ choices, usage, object }: Fields): boolean {
  return Array.isArray(choices) || toRecord(usage) !== undefined || object === "chat.completion.chunk";
}

/** Checks whether an index belongs to an alternative other than the first. A server may return several alternatives. */
function isOther(index: unknown): boolean {
  return typeof index === "number" && index > 0;
}

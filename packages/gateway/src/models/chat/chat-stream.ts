import type { ChatDialect } from "./chat-dialect.ts";
import { type EventLine, EventLines } from "./event-lines.ts";
import { RepairedPieces } from "./repaired-pieces.ts";

/** Rewrites one streamed chat completion as it arrives. */
export class ChatStream {
  readonly #lines = new EventLines();
  readonly #pieces: RepairedPieces;
  /** Of an event whose data is in several lines. */
  #data: string[] = [];
  #isDone = false;

  constructor(dialect: ChatDialect) {
    this.#pieces = new RepairedPieces(dialect);
  }

  /** The server said that this was all; some leave the connection open then. */
  get isDone(): boolean {
    return this.#isDone;
  }

  take(text: string): string {
    return this.#lines
      .take(text)
      .map((line) => this.#takeLine(line))
      .join("");
  }

  end(): string {
    if (this.#isDone) return "";
    const last = this.#takeLine(this.#lines.end());
    if (this.#isDone) return last;
    // What was cut off in the middle is no piece.
    const rest = parse(this.#data.join("\n")) === undefined ? "" : this.#endEvent();
    return last + rest + this.#close(false);
  }

  #takeLine(line: EventLine): string {
    if (this.#isDone || line === "other") return "";
    if (line === "end") return this.#endEvent();
    const { data } = line;
    if (data.trim() === "[DONE]") {
      const rest = this.#endEvent();
      this.#isDone = true;
      return `${rest}${this.#close(true)}data: [DONE]\n\n`;
    }
    // Events that no empty line parts are told apart by being complete.
    const parsed = this.#data.length === 0 ? parse(data) : undefined;
    if (parsed !== undefined) return this.#rewritten(parsed.value);
    if (data.trim() !== "") this.#data.push(data);
    return "";
  }

  #endEvent(): string {
    if (this.#data.length === 0) return "";
    const lines = this.#data;
    this.#data = [];
    const parsed = parse(lines.join("\n"));
    return parsed === undefined
      ? `${lines.map((line) => `data: ${line}\n`).join("")}\n`
      : this.#rewritten(parsed.value);
  }

  #rewritten(value: unknown): string {
    return toEvent(this.#pieces.take(value) ?? value);
  }

  #close(isDone: boolean): string {
    const piece = this.#pieces.end(isDone);
    return piece === undefined ? "" : toEvent(piece);
  }
}

function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

import { type EventLine, EventLines } from "./event-lines.ts";

/** Repairs the pieces of one stream, one after another. */
export interface PieceRepair {
  /** A piece in its place; `undefined`: it stays as it is. */
  take(value: unknown): object | undefined;
  /**
   * What the stream leaves unsaid at its end.
   *
   * @param isDone - the server said that the stream is complete. One that only stops may have been cut off.
   */
  end(isDone: boolean): object | undefined;
}

/** Rewrites one streamed answer as it arrives. */
export class ChatStream {
  readonly #lines = new EventLines();
  readonly #pieces: PieceRepair;
  /** Of an event whose data is in several lines. */
  #data: string[] = [];
  #isDone = false;

  constructor(pieces: PieceRepair) {
    this.#pieces = pieces;
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
    // Sent by some proxies as a sign of life.
    if (value === null) return "";
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

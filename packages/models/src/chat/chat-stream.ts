import { type EventLine, EventLines } from "./event-lines.ts";

/** Repairs the chunks of one stream, in order. */
export interface PieceRepair {
  /** Returns the repaired chunk; `undefined` if it needs no repair. */
  take(value: unknown): object | undefined;
  /**
   * Returns a chunk that is missing at the end of the stream; `undefined` if nothing is missing.
   *
   * @param isDone - whether the server marked the stream as complete. A stream without this mark may have been cut off.
   */
  end(isDone: boolean): object | undefined;
}

/** Rewrites one streamed response as it arrives. */
export class ChatStream {
  readonly #lines = new EventLines();
  readonly #pieces: PieceRepair;
  /** The lines received so far of an event whose data spans several lines. */
  #data: string[] = [];
  #isDone = false;

  constructor(pieces: PieceRepair) {
    this.#pieces = pieces;
  }

  /** Whether the server has marked the end of the stream. Some servers leave the connection open after it. */
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
    // Drop an incomplete event.
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
    // Some servers send events without blank lines between them. A line that is complete JSON is an event.
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
    // Some proxies send this as a keep-alive.
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

/** One message of an event stream. */
export interface ServerSentEvent {
  /** The type that the stream sets; `message` by default. */
  readonly type: string;
  readonly data: string;
  /** The most recent id in the stream, from this message or an earlier one; empty before the first id. */
  readonly id: string;
}

/**
 * Parses `text/event-stream` (WHATWG HTML §9.2.6). Chunks may end anywhere, even inside a character.
 *
 * Ignores `retry` fields, because the client sets its own delays. Drops an incomplete message at the end of the stream.
 */
export class EventStreamParser {
  // Drops a byte order mark at the start, and keeps the first bytes of a character that is split across chunks until
  // the rest arrives.
  readonly #decoder = new TextDecoder();
  #unfinishedLine = "";
  #endedWithCarriageReturn = false;
  #type = "";
  #data: string[] = [];
  #id = "";

  /** Returns the messages that this chunk completes. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    return this.#lines(this.#decoder.decode(chunk, { stream: true })).flatMap((line) => this.#take(line));
  }

  #lines(text: string): string[] {
    if (text === "") return [];
    // A CRLF was split: this chunk starts with its second half.
    const rest = this.#endedWithCarriageReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedWithCarriageReturn = text.endsWith("\r");
    const [first = "", ...others] = rest.split(/\r\n|\r|\n/);
    const lines = [this.#unfinishedLine + first, ...others];
    this.#unfinishedLine = lines.pop() ?? "";
    return lines;
  }

  #take(line: string): ServerSentEvent[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return [];
  }

  #dispatch(): ServerSentEvent[] {
    const message = { type: this.#type === "" ? "message" : this.#type, data: this.#data.join("\n"), id: this.#id };
    const hasData = this.#data.length > 0;
    this.#type = "";
    this.#data = [];
    return hasData ? [message] : [];
  }
}

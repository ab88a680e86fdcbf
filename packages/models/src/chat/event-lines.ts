/** The content of a line: data, the end of an event, or something irrelevant. */
export type EventLine = { readonly data: string } | "end" | "other";

/** Splits a stream of server-sent events into lines as they arrive. */
export class EventLines {
  /** The unfinished line. */
  readonly #parts: string[] = [];
  #endsInReturn = false;

  /** The lines completed by this text. */
  take(text: string): readonly EventLine[] {
    // The second half of a CRLF.
    const rest = this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#endsInReturn = text.endsWith("\r");
    const lines = rest.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    const [first] = lines;
    const whole = first === undefined ? [] : [[...this.#parts.splice(0), first].join(""), ...lines.slice(1)];
    if (last !== "") this.#parts.push(last);
    return whole.map(readLine);
  }

  /** The last line without a line end. */
  end(): EventLine {
    return readLine(this.#parts.splice(0).join(""));
  }
}

function readLine(line: string): EventLine {
  if (line === "") return "end";
  const data = /^data: ?(.*)$/s.exec(line)?.[1];
  if (data !== undefined) return { data };
  // Some servers write errors into the stream as plain JSON.
  return line.startsWith("{") ? { data: line } : "other";
}

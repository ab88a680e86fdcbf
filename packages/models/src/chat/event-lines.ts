/** What a line contains: data, the end of an event, or something irrelevant. */
export type EventLine = { readonly data: string } | "end" | "other";

/** Splits a stream of server-sent events into lines as they arrive. */
export class EventLines {
  /** The parts of the line that is not yet complete. */
  readonly #parts: string[] = [];
  #endsInReturn = false;

  /** Adds text and returns the lines that it completes. */
  take(text: string): readonly EventLine[] {
    // This is the second half of a CRLF.
    const rest = this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#endsInReturn = text.endsWith("\r");
    const lines = rest.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    const [first] = lines;
    const whole = first === undefined ? [] : [[...this.#parts.splice(0), first].join(""), ...lines.slice(1)];
    if (last !== "") this.#parts.push(last);
    return whole.map(readLine);
  }

  /** Returns the last line, which may lack a line end. */
  end(): EventLine {
    return readLine(this.#parts.splice(0).join(""));
  }
}

function readLine(line: string): EventLine {
  if (line === "") return "end";
  const data = /^data: ?(.*)$/s.exec(line)?.[1];
  if (data !== undefined) return { data };
  // Some servers write errors into the stream as plain JSON lines.
  return line.startsWith("{") ? { data: line } : "other";
}

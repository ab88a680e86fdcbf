const LINE_BREAK = 0x0a;

interface LineListener {
  /** Called with each line, without its line break. */
  readonly onLine: (line: string) => void;
  /** Called with the beginning of a line that is too long. The rest of the line is dropped. */
  readonly onTooLong: (beginning: string) => void;
}

/** Splits a stream of UTF-8 into lines, and keeps at most `maxBytes` of a line in memory. */
export class BoundedLines {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #size = 0;
  #isDropping = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  /** Adds bytes, and calls the listener for each line that ends in them. */
  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      this.#append(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
  }

  /** Passes on a last line without a line break. */
  end(): void {
    if (this.#size > 0) this.#endLine();
  }

  #append(part: Buffer): void {
    if (this.#isDropping || part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) return;
    this.#isDropping = true;
    this.#listener.onTooLong(this.#take().subarray(0, this.#maxBytes).toString());
  }

  #endLine(): void {
    const line = this.#take();
    if (!this.#isDropping) this.#listener.onLine(line.toString().replace(/\r$/, ""));
    this.#isDropping = false;
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The size of a JSON text; in a stream, of one event. */
export interface JsonSize {
  readonly bytes: number;
  /**
   * Number of objects and arrays. Excludes those in the agent's tools, which OpenAI repeats and the gateway does not
   * read.
   */
  readonly containers: number;
  /** Number of objects, arrays and other values, including those in the agent's tools. */
  readonly values: number;
  readonly depth: number;
}

interface Measured extends JsonSize {
  /** Index after the last byte that was measured. */
  readonly end: number;
  /** Whether the event is complete, so that the next byte belongs to another event. */
  readonly isEventOver: boolean;
}

/**
 * Measures JSON as it arrives, before it is parsed and without validating it. In a stream of server-sent events, each
 * event is measured separately.
 */
export class JsonSizeLimit {
  readonly #isStream: boolean;
  #bytes = 0;
  #containers = 0;
  #values = 0;
  #depth = 0;
  /** How many characters of the current string match the property name `tools`; -1 if the string is a different one. */
  #named = -1;
  /** The depth of the agent's tools; containers at this depth or deeper belong to them. */
  #toolsDepth = Number.POSITIVE_INFINITY;
  #deepest = 0;
  #isText = false;
  #isEscaped = false;
  #isLineEmpty = true;
  #wasCarriageReturn = false;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** Measures further bytes, up to the end of the event. */
  measure(bytes: Uint8Array, from: number): Measured {
    for (let at = from; at < bytes.byteLength; at += 1) {
      const byte = bytes[at];
      const isSecondOfTwo = byte === LINE_FEED && this.#wasCarriageReturn;
      this.#wasCarriageReturn = byte === CARRIAGE_RETURN;
      if (isSecondOfTwo) continue;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        this.#isLineEmpty = false;
        this.#take(byte);
        continue;
      }
      // JSON strings can't contain line ends, so a parser would stop here.
      this.#isText = false;
      this.#isEscaped = false;
      // Unclosed containers in one line must not affect the count of the next.
      if (this.#isStream) this.#toolsDepth = Number.POSITIVE_INFINITY;
      const isEventOver = this.#isStream && this.#isLineEmpty;
      this.#isLineEmpty = true;
      if (isEventOver) return this.#endEvent(from, at + 1);
    }
    this.#bytes += bytes.byteLength - from;
    return { ...this.#size(), end: bytes.byteLength, isEventOver: false };
  }

  #endEvent(from: number, end: number): Measured {
    this.#bytes += end - from;
    const measured = { ...this.#size(), end, isEventOver: true };
    this.#bytes = 0;
    this.#containers = 0;
    this.#values = 0;
    this.#depth = 0;
    this.#toolsDepth = Number.POSITIVE_INFINITY;
    this.#deepest = 0;
    return measured;
  }

  #size(): JsonSize {
    return { bytes: this.#bytes, containers: this.#containers, values: this.#values, depth: this.#deepest };
  }

  #take(byte: number | undefined): void {
    if (this.#isText) this.#takeOfText(byte);
    else if (byte === QUOTE) {
      this.#isText = true;
      this.#named = 0;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open();
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close();
    else if (byte === COMMA) {
      this.#values += 1;
      this.#named = -1;
    }
  }

  #takeOfText(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isText = false;
      return;
    }
    this.#named = this.#named >= 0 && byte === TOOLS[this.#named] ? this.#named + 1 : -1;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const isOfTools = this.#named === TOOLS.length && this.#depth <= MAX_TOOLS_DEPTH;
    if (isOfTools) this.#toolsDepth = Math.min(this.#toolsDepth, this.#depth);
    if (this.#depth < this.#toolsDepth) this.#containers += 1;
    this.#named = -1;
  }

  #close(): void {
    if (this.#depth === this.#toolsDepth) this.#toolsDepth = Number.POSITIVE_INFINITY;
    this.#depth = Math.max(0, this.#depth - 1);
  }
}

const TOOLS = new TextEncoder().encode("tools");

/** Maximum depth of the `tools` property: it is in the response itself, or in an event that contains the response. */
const MAX_TOOLS_DEPTH = 3;

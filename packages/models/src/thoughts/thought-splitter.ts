/** A part of a model's output: its reply, or the reasoning before it. `open` means that the reasoning starts. */
export type ThoughtPiece = { readonly type: "text" | "thought"; readonly text: string } | { readonly type: "open" };

const OPEN = "<think>";
const CLOSE = "</think>";

/** Maximum number of white-space characters before a tag. */
const MAX_WHITE_SPACE = 1_000;

/**
 * Separates the reasoning in `<think>…</think>` from the reply that follows. Only a tag at the very start marks
 * reasoning; later tags are part of the reply.
 */
export class ThoughtSplitter {
  #state: "beginning" | "thinking" | "answering" = "beginning";
  #hasThought = false;
  /** Text held back: white space, and a possible start of the tag. */
  #held = "";
  #thought: string[] = [];

  take(text: string): readonly ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    for (let rest: string | undefined = text; rest !== undefined; ) rest = this.#step(rest, pieces);
    return pieces;
  }

  /** Ends the text, and returns the part that was held back. */
  end(): readonly ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    const held = this.#held;
    this.#held = "";
    if (this.#state === "thinking") this.#endThought(held, pieces);
    else pushText(this.#hasThought ? held.trimStart() : held, pieces);
    return pieces;
  }

  /** Processes text and returns the rest that must be processed next; undefined if there is none. */
  #step(text: string, pieces: ThoughtPiece[]): string | undefined {
    if (this.#state === "beginning") return this.#begin(this.#held + text, pieces);
    if (this.#state === "thinking") return this.#think(this.#held + text, pieces);
    pushText(text, pieces);
    return undefined;
  }

  #begin(text: string, pieces: ThoughtPiece[]): string | undefined {
    const rest = text.trimStart();
    this.#held = "";
    if (rest.startsWith(OPEN)) {
      this.#state = "thinking";
      pieces.push({ type: "open" });
      return rest.slice(OPEN.length);
    }
    if (OPEN.startsWith(rest) && text.length <= MAX_WHITE_SPACE) this.#held = text;
    else {
      this.#state = "answering";
      pushText(this.#hasThought ? rest : text, pieces);
    }
    return undefined;
  }

  #think(text: string, pieces: ThoughtPiece[]): string | undefined {
    const end = text.indexOf(CLOSE);
    if (end < 0) {
      // The end of the text may be the start of the tag.
      const known = Math.max(0, text.length - CLOSE.length + 1);
      this.#thought.push(text.slice(0, known));
      this.#held = text.slice(known);
      return undefined;
    }
    this.#held = "";
    this.#state = "beginning";
    this.#endThought(text.slice(0, end), pieces);
    return text.slice(end + CLOSE.length);
  }

  #endThought(last: string, pieces: ThoughtPiece[]): void {
    const text = [...this.#thought.splice(0), last].join("").trim();
    this.#hasThought = true;
    if (text !== "") pieces.push({ type: "thought", text });
  }
}

function pushText(text: string, pieces: ThoughtPiece[]): void {
  if (text !== "") pieces.push({ type: "text", text });
}

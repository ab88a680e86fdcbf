/** A part of what a model wrote: its answer, or what it thought before. `open`: it has begun to think. */
export type ThoughtPiece = { readonly type: "text" | "thought"; readonly text: string } | { readonly type: "open" };

const OPEN = "<think>";
const CLOSE = "</think>";

/** White space before a tag; after more of it there is no tag. */
const MAX_WHITE_SPACE = 1_000;

/**
 * Parts `<think>…</think>` from the answer that follows. Only what an answer begins with is a thought: the same tag in
 * the middle of an answer is something that the answer says.
 */
export class ThoughtSplitter {
  #state: "beginning" | "thinking" | "answering" = "beginning";
  #hasThought = false;
  /** White space, and what may become a tag. */
  #held = "";
  #thought: string[] = [];

  take(text: string): readonly ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    for (let rest: string | undefined = text; rest !== undefined; ) rest = this.#step(rest, pieces);
    return pieces;
  }

  /** What is left when the text is over. */
  end(): readonly ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    const held = this.#held;
    this.#held = "";
    if (this.#state === "thinking") this.#endThought(held, pieces);
    else pushText(this.#hasThought ? held.trimStart() : held, pieces);
    return pieces;
  }

  /** Returns what is to be looked at next. */
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
      // The last of it may be the beginning of the tag.
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

import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type ThoughtPiece, ThoughtSplitter } from "./thought-splitter.ts";

/**
 * Wraps a model to convert `<think>…</think>` to reasoning, for servers that leave it in the text because they do not
 * know the model's format.
 */
export function withThoughtsApart(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const answer = await model.doGenerate(options);
      return { ...answer, content: answer.content.flatMap(splitContent) };
    },
    async doStream(options) {
      const answer = await model.doStream(options);
      return { ...answer, stream: answer.stream.pipeThrough(splitStream()) };
    },
  };
}

function splitContent(part: LanguageModelV4Content): readonly LanguageModelV4Content[] {
  if (part.type !== "text") return [part];
  const splitter = new ThoughtSplitter();
  return [...splitter.take(part.text), ...splitter.end()].flatMap((piece): LanguageModelV4Content[] => {
    if (piece.type === "open") return [];
    return [piece.type === "text" ? { ...part, text: piece.text } : { type: "reasoning", text: piece.text }];
  });
}

type Part = LanguageModelV4StreamPart;

function splitStream(): TransformStream<Part, Part> {
  const blocks = new Map<string, TextBlock>();
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      for (const split of splitPart(part, blocks)) controller.enqueue(split);
    },
  });
}

function splitPart(part: Part, blocks: Map<string, TextBlock>): readonly Part[] {
  if (part.type === "text-start") {
    blocks.set(part.id, new TextBlock(part));
    return [];
  }
  if (part.type !== "text-delta" && part.type !== "text-end") return [part];
  const block = blocks.get(part.id);
  if (block === undefined) return [part];
  if (part.type === "text-delta") return block.take(part.delta);
  blocks.delete(part.id);
  return block.end(part);
}

/** Splits one text of a stream into reasoning and text. */
class TextBlock {
  readonly #start: Extract<Part, { type: "text-start" }>;
  readonly #splitter = new ThoughtSplitter();
  #hasText = false;
  #isThinking = false;
  #thoughts = 0;

  constructor(start: Extract<Part, { type: "text-start" }>) {
    this.#start = start;
  }

  take(delta: string): readonly Part[] {
    return this.#splitter.take(delta).flatMap((piece) => this.#toParts(piece));
  }

  end(end: Extract<Part, { type: "text-end" }>): readonly Part[] {
    const rest = this.#splitter.end().flatMap((piece) => this.#toParts(piece));
    return [...rest, ...this.#closeThought(), ...(this.#hasText ? [end] : [])];
  }

  #toParts(piece: ThoughtPiece): readonly Part[] {
    if (piece.type === "open") {
      const closed = this.#closeThought();
      this.#thoughts += 1;
      this.#isThinking = true;
      return [...closed, { type: "reasoning-start", id: this.#thoughtId }];
    }
    if (piece.type === "thought") return [{ type: "reasoning-delta", id: this.#thoughtId, delta: piece.text }];
    const start = this.#hasText ? [] : [this.#start];
    this.#hasText = true;
    return [...this.#closeThought(), ...start, { type: "text-delta", id: this.#start.id, delta: piece.text }];
  }

  #closeThought(): readonly Part[] {
    if (!this.#isThinking) return [];
    this.#isThinking = false;
    return [{ type: "reasoning-end", id: this.#thoughtId }];
  }

  get #thoughtId(): string {
    return `${this.#start.id}-thought-${this.#thoughts}`;
  }
}

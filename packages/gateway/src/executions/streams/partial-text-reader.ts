import { beginningOf } from "@yagate/lib/text/cut-text";
import type { TextDelta } from "@yagate/protocol";
import type { EncodedEvent } from "./encoded-event.ts";
import type { SubscriberBuffer } from "./subscriber-buffer.ts";

/** Maximum length of one delta's text, in UTF-16 code units. */
const MAX_DELTA_LENGTH = 16_384;

/**
 * Inserts text deltas between the numbered events of one reader. It emits text of a model request only if the reader
 * has seen the start of that request but not its end, and it emits that text from its beginning. Other text would not
 * belong to any turn that the reader has seen.
 */
export class PartialTextReader {
  readonly #buffer: Pick<SubscriberBuffer, "partialText">;
  #open: { readonly turn: number; readonly attempt: number } | undefined;
  #position = 0;

  constructor(buffer: Pick<SubscriberBuffer, "partialText">) {
    this.#buffer = buffer;
  }

  /** Must be called with every event before the reader gets the event. */
  pass(event: Pick<EncodedEvent, "type" | "turn" | "attempt">): void {
    if (event.type === "model.requested") {
      const { turn, attempt } = event;
      this.#open = { turn, attempt };
      this.#position = 0;
    } else if (event.type === "model.responded" || event.type === "model.failed") this.#open = undefined;
  }

  /** Yields the text that was written since the last call. */
  *deltas(): Generator<TextDelta, void, void> {
    for (;;) {
      const { partialText } = this.#buffer;
      if (
        partialText === undefined ||
        partialText.turn !== this.#open?.turn ||
        partialText.attempt !== this.#open.attempt
      )
        return;
      if (partialText.length <= this.#position) return;
      const { executionId, turn } = partialText;
      const text = beginningOf(partialText.since(this.#position), MAX_DELTA_LENGTH);
      this.#position += text.length;
      yield { type: "text.delta", executionId, turn, text };
    }
  }
}

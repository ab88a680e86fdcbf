import type { PartialTextPiece, TextRelay } from "@yagate/store/port";
import { PartialText, type PartialTextKey } from "./partial-text.ts";

/** Called each time that the partial text has grown, with the same object as long as it grows. */
export type PartialTextListener = (partialText: PartialText) => void;

/** Takes a model's text while it is written. */
export interface PartialTextWriter {
  write(text: string): void;
  /** Ends the text. Must be called before the end of the model turn is appended. */
  end(): void;
}

/** Passes the model's text on to subscribers while it is written, in this process or another; nothing is stored. */
export interface TextDeltas {
  /** The listener is called at once if text is being written. */
  subscribe(executionId: string, listener: PartialTextListener): () => void;
  /** Whether there are subscribers; without them, models need not stream. */
  hasSubscribers(executionId: string): boolean;
  /** Returns where to write the text of a model turn; undefined without subscribers. */
  begin(key: PartialTextKey): PartialTextWriter | undefined;
}

interface Topic {
  readonly listeners: Set<PartialTextListener>;
  /** The text that another process writes. */
  partialText: PartialText | undefined;
  readonly stopRelay: (() => void) | undefined;
}

/** @param relay - passes text between processes that share the store; without one, text stays in this process. */
export function createTextDeltas(relay?: TextRelay): TextDeltas {
  const topics = new Map<string, Topic>();
  const ownTexts = new Map<string, PartialText>();

  function notify(partialText: PartialText): void {
    for (const listener of topics.get(partialText.executionId)?.listeners ?? []) listener(partialText);
  }

  function receive(piece: PartialTextPiece): void {
    const topic = topics.get(piece.executionId);
    if (topic === undefined || ownTexts.has(piece.executionId)) return;
    const known = topic.partialText;
    // The piece belongs to an abandoned attempt: its owner was frozen, or the piece was delayed.
    if (known?.isAfter(piece)) return;
    const isKnown = known !== undefined && known.turn === piece.turn && known.attempt === piece.attempt;
    const partialText = isKnown ? known : new PartialText(piece);
    topic.partialText = partialText;
    if (piece.position > partialText.length) return relay?.askAgain(piece.executionId);
    const text = piece.text.slice(partialText.length - piece.position);
    if (text === "") return;
    partialText.append(text);
    notify(partialText);
  }

  relay?.onPiece(receive);
  const hasSubscribers = (executionId: string) => topics.has(executionId) || relay?.isWanted(executionId) === true;

  return {
    subscribe(executionId, listener) {
      const topic = topics.get(executionId) ?? {
        listeners: new Set(),
        partialText: undefined,
        stopRelay: relay?.listen(executionId),
      };
      topics.set(executionId, topic);
      // Wrapped, so that a function that subscribed twice unsubscribes once at a time.
      const own: PartialTextListener = (partialText) => listener(partialText);
      topic.listeners.add(own);
      const present = ownTexts.get(executionId) ?? topic.partialText;
      if (present !== undefined) own(present);
      return () => {
        if (!topic.listeners.delete(own) || topic.listeners.size > 0) return;
        topics.delete(executionId);
        topic.stopRelay?.();
      };
    },
    hasSubscribers,
    begin(key) {
      if (!hasSubscribers(key.executionId)) return undefined;
      const partialText = new PartialText(key);
      const isOpen = () => ownTexts.get(key.executionId) === partialText;
      ownTexts.set(key.executionId, partialText);
      relay?.begin(partialText);
      return {
        write(text) {
          // An abandoned model may continue for a moment.
          if (!isOpen()) return;
          partialText.append(text);
          notify(partialText);
          relay?.grow(partialText);
        },
        end() {
          if (!isOpen()) return;
          ownTexts.delete(key.executionId);
          relay?.end(partialText);
        },
      };
    },
  };
}

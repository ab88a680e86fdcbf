import type { PartialTextPiece, TextRelay } from "@yagate/store/events/text-relay";
import { PartialText, type PartialTextKey } from "./partial-text.ts";

/** Hears of the draft that is being written now, each time that it has grown. The same object as long as it grows. */
export type PartialTextListener = (partialText: PartialText) => void;

/** Takes a model's text while it is written. */
export interface PartialTextWriter {
  write(text: string): void;
  /** Nothing more comes; to be called before it is said in the journal how the turn ended. */
  end(): void;
}

/** Passes the model's text on while it is written, to whoever listens, here or in another process; nothing is kept. */
export interface TextDeltas {
  /** The listener is called at once where a draft is being written. */
  subscribe(executionId: string, listener: PartialTextListener): () => void;
  /** Whether anybody listens: otherwise to let a model stream would be for nothing. */
  hasSubscribers(executionId: string): boolean;
  /** Where to write the text of a model turn, or undefined when nobody listens. */
  begin(name: PartialTextKey): PartialTextWriter | undefined;
}

interface Topic {
  readonly listeners: Set<PartialTextListener>;
  /** Written in another process. */
  partialText: PartialText | undefined;
  readonly stopRelay: (() => void) | undefined;
}

/** @param relay - where other processes share the store; without one all is said in this process. */
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
    // Of an attempt that was given up: its owner was frozen, or the piece was long on its way.
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
      // Wrapped, so that a function that subscribed twice leaves once at a time.
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
    begin(name) {
      if (!hasSubscribers(name.executionId)) return undefined;
      const partialText = new PartialText(name);
      const isOpen = () => ownTexts.get(name.executionId) === partialText;
      ownTexts.set(name.executionId, partialText);
      relay?.begin(partialText);
      return {
        write(text) {
          // A model that was given up may go on for a moment.
          if (!isOpen()) return;
          partialText.append(text);
          notify(partialText);
          relay?.grow(partialText);
        },
        end() {
          if (!isOpen()) return;
          ownTexts.delete(name.executionId);
          relay?.end(partialText);
        },
      };
    },
  };
}

import type { PartialTextPiece, TextRelay } from "@yagate/store/events/text-relay";
import { Draft, type DraftName } from "./partial-text.ts";

/** Hears of the draft that is being written now, each time that it has grown. The same object as long as it grows. */
export type PartialTextListener = (draft: Draft) => void;

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
  begin(name: DraftName): PartialTextWriter | undefined;
}

interface Topic {
  readonly listeners: Set<PartialTextListener>;
  /** Written in another process. */
  draft: Draft | undefined;
  readonly stopRelay: (() => void) | undefined;
}

/** @param relay - where other processes share the store; without one all is said in this process. */
export function createTextDeltas(relay?: TextRelay): TextDeltas {
  const topics = new Map<string, Topic>();
  const ownDrafts = new Map<string, Draft>();

  function tell(draft: Draft): void {
    for (const listener of topics.get(draft.executionId)?.listeners ?? []) listener(draft);
  }

  function receive(piece: PartialTextPiece): void {
    const topic = topics.get(piece.executionId);
    if (topic === undefined || ownDrafts.has(piece.executionId)) return;
    const known = topic.draft;
    // Of an attempt that was given up: its owner was frozen, or the piece was long on its way.
    if (known?.isAfter(piece)) return;
    const isKnown = known !== undefined && known.turn === piece.turn && known.attempt === piece.attempt;
    const draft = isKnown ? known : new Draft(piece);
    topic.draft = draft;
    if (piece.position > draft.length) return relay?.askAgain(piece.executionId);
    const text = piece.text.slice(draft.length - piece.position);
    if (text === "") return;
    draft.append(text);
    tell(draft);
  }

  relay?.onPiece(receive);
  const hasSubscribers = (executionId: string) => topics.has(executionId) || relay?.isWanted(executionId) === true;

  return {
    subscribe(executionId, listener) {
      const topic = topics.get(executionId) ?? {
        listeners: new Set(),
        draft: undefined,
        stopRelay: relay?.listen(executionId),
      };
      topics.set(executionId, topic);
      // Wrapped, so that a function that subscribed twice leaves once at a time.
      const own: PartialTextListener = (draft) => listener(draft);
      topic.listeners.add(own);
      const present = ownDrafts.get(executionId) ?? topic.draft;
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
      const draft = new Draft(name);
      const isOpen = () => ownDrafts.get(name.executionId) === draft;
      ownDrafts.set(name.executionId, draft);
      relay?.begin(draft);
      return {
        write(text) {
          // A model that was given up may go on for a moment.
          if (!isOpen()) return;
          draft.append(text);
          tell(draft);
          relay?.grow(draft);
        },
        end() {
          if (!isOpen()) return;
          ownDrafts.delete(name.executionId);
          relay?.end(draft);
        },
      };
    },
  };
}

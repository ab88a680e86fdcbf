import type { PartialTextPiece, PartialTurn, TextRelay } from "@yagate/store/port";

/** Called each time the partial text has grown. All calls for one model request receive the same object. */
export type PartialTextListener = (partialText: PartialText) => void;

/** Receives a model's text while the model writes it. */
export interface PartialTextWriter {
  write(text: string): void;
  /** Ends the text. Must be called before the event that ends the model turn is appended. */
  end(): void;
}

/**
 * Passes a model's text on to subscribers in this process and in others while the model writes it. Nothing is stored.
 */
export interface TextDeltas {
  /**
   * Calls the listener immediately if text is being written, and each time the text grows. Returns a function that
   * unsubscribes the listener.
   */
  subscribe(executionId: string, listener: PartialTextListener): () => void;
  /** Returns whether there are subscribers. Without them, models need not stream. */
  hasSubscribers(executionId: string): boolean;
  /** Returns the writer for the text of a model turn; undefined if there are no subscribers. */
  begin(key: PartialTextKey): PartialTextWriter | undefined;
}

interface Topic {
  readonly listeners: Set<PartialTextListener>;
  /** The text that another process is writing. */
  partialText: PartialText | undefined;
  readonly stopRelay: (() => void) | undefined;
}

/** @param relay - passes text between the processes that share the store; without it, text stays in this process. */
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
    // The text belongs to an abandoned model request: the process that sent it was frozen, or the message was delayed.
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
      // Each subscription has its own wrapper, so that a listener that subscribed twice is removed once per
      // unsubscription.
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
          // An abandoned model request may continue for a short time.
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

/** Maximum length of the recent text, which is kept as one growing string. Older text is stored in blocks. */
const MAX_RECENT_LENGTH = 4_096;

/** The model request that a partial text belongs to. */
interface PartialTextKey {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
}

/** The text of a model turn so far. The cost of reading its end does not depend on its length. */
export class PartialText implements PartialTurn {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly #blocks: { readonly start: number; readonly text: string }[] = [];
  #recent = "";
  #recentStart = 0;

  constructor({ executionId, turn, attempt }: PartialTextKey) {
    this.executionId = executionId;
    this.turn = turn;
    this.attempt = attempt;
  }

  get length(): number {
    return this.#recentStart + this.#recent.length;
  }

  append(text: string): void {
    this.#recent += text;
    if (this.#recent.length < MAX_RECENT_LENGTH) return;
    this.#blocks.push({ start: this.#recentStart, text: this.#recent });
    this.#recentStart += this.#recent.length;
    this.#recent = "";
  }

  since(position: number): string {
    if (position >= this.#recentStart) return this.#recent.slice(position - this.#recentStart);
    const first = this.#blocks.findLastIndex(({ start }) => start <= position);
    const [block, ...later] = this.#blocks.slice(Math.max(0, first));
    if (block === undefined) return this.#recent;
    return block.text.slice(position - block.start) + later.map(({ text }) => text).join("") + this.#recent;
  }

  /** Returns whether this text belongs to a later model request of the same execution than `other`. */
  isAfter(other: Pick<PartialTextKey, "turn" | "attempt">): boolean {
    return this.turn === other.turn ? this.attempt > other.attempt : this.turn > other.turn;
  }
}

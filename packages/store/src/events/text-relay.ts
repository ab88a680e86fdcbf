/** The text that one model turn has produced so far. It only grows. */
export interface PartialTurn {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** Length in UTF-16 code units. */
  readonly length: number;
  /** Returns the text from a position to its current end; from 0, the complete text. */
  since(position: number): string;
}

/** A chunk of partial text that one replica sends to another. */
export interface PartialTextPiece {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** Position of the chunk in the partial text, in UTF-16 code units. */
  readonly position: number;
  readonly text: string;
}

/**
 * Sends partial texts between the processes that share a store, and only to processes that subscribe to them. Delivery
 * is best effort and nothing is stored: a subscriber that misses a chunk requests the partial text again.
 */
export interface TextRelay {
  /**
   * Subscribes this process to the partial texts of an execution. The current text is delivered from its start. Call
   * this only once per execution. Returns a function that unsubscribes.
   */
  listen(executionId: string): () => void;
  /** Requests the current partial text again from its start. Call this when chunks are missing. */
  askAgain(executionId: string): void;
  /** Sets the listener for chunks from other processes. */
  onPiece(listener: (piece: PartialTextPiece) => void): void;
  /** Returns whether another process subscribes to the partial texts of this execution. */
  isWanted(executionId: string): boolean;
  /** Call this when a partial text starts in this process. */
  begin(text: PartialTurn): void;
  /** Call this when the partial text has grown. */
  grow(text: PartialTurn): void;
  /** Call this when the partial text has ended. It sends the last chunk. */
  end(text: PartialTurn): void;
}

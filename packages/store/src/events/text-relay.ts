/** The text that a model request has produced so far in a model turn. It only grows. */
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
 * Sends partial texts between the processes that share a store, only to subscribers. It is best effort and stores
 * nothing: a subscriber that misses a chunk requests the partial text again.
 */
export interface TextRelay {
  /**
   * Subscribes to the partial texts of an execution. The current text is sent from its start. Call this once per
   * execution. Returns the function that unsubscribes.
   */
  listen(executionId: string): () => void;
  /** Requests the current partial text again from its start, because chunks are missing. */
  askAgain(executionId: string): void;
  /** Sets the listener for chunks from other processes. */
  onPiece(listener: (piece: PartialTextPiece) => void): void;
  /** Returns whether another process subscribes to this execution. */
  isWanted(executionId: string): boolean;
  /** Call this when a partial text starts in this process. */
  begin(text: PartialTurn): void;
  /** Call this when the partial text has grown. */
  grow(text: PartialTurn): void;
  /** Call this when the partial text has ended. It sends the last chunk. */
  end(text: PartialTurn): void;
}

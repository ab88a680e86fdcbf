/** The partial text of a request of a model turn. It only grows. */
export interface PartialTurn {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** UTF-16 code units. */
  readonly length: number;
  /** The text from a position on; from 0: all of it. */
  since(position: number): string;
}

/** A piece of partial text, sent from one replica to another. */
export interface PartialTextPiece {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** Position of the piece in the partial text, in UTF-16 code units. */
  readonly position: number;
  readonly text: string;
}

/**
 * Sends partial texts between the processes that share a store, only to subscribers. It is best effort and stores nothing:
 * a subscriber that misses a piece requests the partial text again.
 */
export interface TextRelay {
  /** Subscribes to the partial texts of an execution, the current one from its start. Call once per execution. */
  listen(executionId: string): () => void;
  /** Reports missing pieces: the current partial text is sent again from its start. */
  askAgain(executionId: string): void;
  /** Sets the listener for pieces from other processes. */
  onPiece(listener: (piece: PartialTextPiece) => void): void;
  /** Whether another process subscribes to this execution. */
  isWanted(executionId: string): boolean;
  /** Call when a partial text starts in this process. */
  begin(text: PartialTurn): void;
  /** Call when it has grown. */
  grow(text: PartialTurn): void;
  /** Call when it has ended: this call sends the last piece. */
  end(text: PartialTurn): void;
}

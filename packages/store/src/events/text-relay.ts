/** The text of one request of a model turn, as far as it is written. It only grows. */
export interface PartialTurn {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** UTF-16 code units. */
  readonly length: number;
  /** What stands after a position; after 0 all of it. */
  since(position: number): string;
}

/** A part of a draft on its way from one replica to another. */
export interface PartialTextPiece {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  /** Where in the draft the text stands, in UTF-16 code units. */
  readonly position: number;
  readonly text: string;
}

/**
 * Carries drafts between the processes that share a store, to those that listen and to nobody else. Nothing is kept and
 * nothing is promised: a piece may get lost, and whoever misses one asks for the draft again.
 */
export interface TextRelay {
  /** Asks whoever advances this execution for its drafts, the present one from its beginning on. Once an execution. */
  listen(executionId: string): () => void;
  /** Says that pieces are missing: the present draft comes again from its beginning. */
  askAgain(executionId: string): void;
  /** Where pieces go that come from another process. */
  onPiece(listener: (piece: PartialTextPiece) => void): void;
  /** Whether another process listens to this execution. */
  isWanted(executionId: string): boolean;
  /** A draft is written in this process from now on. */
  begin(draft: PartialTurn): void;
  /** It has grown. */
  grow(draft: PartialTurn): void;
  /** It has ended: nothing of it leaves any more but what this call sends. */
  end(draft: PartialTurn): void;
}

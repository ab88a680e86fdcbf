/** The cause of a rejection, as far as it could be found. */
export interface Cause {
  /** A stable id, for programs. */
  readonly id: string;
  /** What happened. */
  readonly cause: string;
  /** What to do. */
  readonly advice: string;
}

/** A change to the body that would explain the wrong signature. */
export interface BodyChange extends Cause {
  /** Returns the texts that may have been signed before this change. */
  forms(body: Buffer): Iterable<Buffer>;
}

/** A key that signers use by mistake instead of the text of the secret. */
export interface KeyChange extends Cause {
  keys(secret: string): Iterable<Buffer>;
}

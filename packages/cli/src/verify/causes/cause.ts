/** Why a call was refused, as far as trying showed. */
export interface Cause {
  /** Stable, for programs. */
  readonly id: string;
  /** What happened. */
  readonly cause: string;
  /** What to do. */
  readonly advice: string;
}

/** A change of the body that would explain a wrong signature. */
export interface BodyChange extends Cause {
  /** The texts that the signer may have signed, if this is what happened to them afterwards. */
  forms(body: Buffer): Iterable<Buffer>;
}

/** Another key than the secret's text. */
export interface KeyChange extends Cause {
  keys(secret: string): Iterable<Buffer>;
}

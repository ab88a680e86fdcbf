/** A signing secret, and what a person calls it: where it was read from. */
export interface NamedSecret {
  /** Such as `$YAGATE_SIGNING_SECRET` or the path of a file. Never the value. */
  readonly name: string;
  readonly value: string;
}

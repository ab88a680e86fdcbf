/** A signing secret, and its source as a name for people. */
export interface NamedSecret {
  /** Such as `$YAGATE_SIGNING_SECRET` or the path of a file. Never the value. */
  readonly name: string;
  readonly value: string;
}

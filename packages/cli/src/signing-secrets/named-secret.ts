/** A signing secret, with a name for its source. */
export interface NamedSecret {
  /** The source, such as `$YAGATE_SIGNING_SECRET` or the path of a file; never the value. */
  readonly name: string;
  readonly value: string;
}

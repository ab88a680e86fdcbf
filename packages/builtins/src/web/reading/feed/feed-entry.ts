/** One entry of a feed in any format. Its texts may be HTML. */
export interface FeedEntry {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** The date as written in the feed. */
  readonly date?: string | undefined;
  readonly authors?: readonly (string | undefined)[] | undefined;
  readonly summary?: string | undefined;
}

/** The parts of a feed that are included in the result. */
export interface FeedContent {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly language?: string | undefined;
  readonly date?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

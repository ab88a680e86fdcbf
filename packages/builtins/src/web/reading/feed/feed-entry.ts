/** One entry of a feed, whatever the feed is written in; its texts may be HTML. */
export interface FeedEntry {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** As written. */
  readonly date?: string | undefined;
  readonly authors?: readonly (string | undefined)[] | undefined;
  readonly summary?: string | undefined;
}

/** A feed, as far as a reader is told of it. */
export interface FeedContent {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly language?: string | undefined;
  readonly date?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

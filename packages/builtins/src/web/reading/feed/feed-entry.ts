/** One entry of a feed in any format; its texts may be HTML. */
export interface FeedEntry {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** As written in the feed. */
  readonly date?: string | undefined;
  readonly authors?: readonly (string | undefined)[] | undefined;
  readonly summary?: string | undefined;
}

/** The parts of a feed that the result contains. */
export interface FeedContent {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly language?: string | undefined;
  readonly date?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

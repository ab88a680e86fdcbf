import type { Candidate } from "../asking/candidates.ts";
import type { Passage } from "./passages.ts";

/** What a source is; `data` is JSON or CSV. */
export type SourceType = "web_page" | "pdf" | "feed" | "text" | "data" | "local_document";

/** Something about a source that a reader should know. */
export interface SourceWarning {
  readonly code: string;
  readonly message: string;
}

/** A candidate with what was read of it. */
export interface Source {
  readonly candidate: Candidate;
  readonly title: string;
  /** After redirects. */
  readonly url: string;
  readonly key: string;
  readonly sourceType: SourceType;
  readonly siteName?: string;
  readonly publishedAt?: string;
  /** ms since the epoch; absent where nothing was fetched. */
  readonly fetchedAt?: number;
  /** Whether `passages` are of the whole text or of the provider's excerpt alone. */
  readonly basis: "page" | "excerpt";
  readonly passages: readonly Passage[];
  readonly snippet: string;
  readonly warnings: readonly SourceWarning[];
  /** Other addresses of the same text. */
  readonly mirrors: readonly string[];
}

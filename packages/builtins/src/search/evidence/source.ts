import type { Candidate } from "../asking/candidates.ts";
import type { Passage } from "./passages.ts";

/** The kind of a source; `data` is JSON or CSV. */
export type SourceType = "web_page" | "pdf" | "feed" | "text" | "data" | "local_document";

/** A warning about a source, for the reader of the result. */
export interface SourceWarning {
  readonly code: string;
  readonly message: string;
}

/** A candidate with the text that was read for it. */
export interface Source {
  readonly candidate: Candidate;
  readonly title: string;
  /** The URL after redirects. */
  readonly url: string;
  readonly key: string;
  readonly sourceType: SourceType;
  readonly siteName?: string;
  readonly publishedAt?: string;
  /** ms since the epoch; absent if nothing was fetched. */
  readonly fetchedAt?: number;
  /** Whether `passages` come from the full text or only from the provider's excerpt. */
  readonly basis: "page" | "excerpt";
  readonly passages: readonly Passage[];
  readonly snippet: string;
  readonly warnings: readonly SourceWarning[];
  /** Other URLs with the same text. */
  readonly mirrors: readonly string[];
}

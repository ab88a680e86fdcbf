import type { ReadDocument } from "../../web/port.ts";
import type { SearchAnswer, SearchQuery } from "../port.ts";
import type { IndexLimits } from "./index/index-limits.ts";
import type { IndexReport } from "./index/index-report.ts";
import type { IndexNote } from "./index/local-index.ts";

/** The data that the thread starts with. */
export interface ThreadTask {
  readonly folder: string;
  readonly indexFile: string;
  readonly limits: IndexLimits;
  /** Whether the main thread can read documents other than plain text. */
  readonly hasReader: boolean;
}

/** A message from the main thread to the index thread. */
export type ThreadRequest =
  | { readonly ask: "search"; readonly id: number; readonly query: SearchQuery; readonly now: number }
  | { readonly ask: "refresh"; readonly id: number }
  | { readonly ask: "revision"; readonly id: number }
  | { readonly ask: "close"; readonly id: number }
  | { readonly ask: "was_read"; readonly id: number; readonly document: ReadDocument }
  | { readonly ask: "was_not_read"; readonly id: number; readonly isBusy: boolean };

/** A message from the index thread to the main thread. */
export type ThreadReport =
  | { readonly tell: "ready"; readonly isNew: boolean }
  | { readonly tell: "note"; readonly note: IndexNote }
  | { readonly tell: "found"; readonly id: number; readonly answer: SearchAnswer }
  | { readonly tell: "revision"; readonly id: number; readonly revision: string }
  | { readonly tell: "refreshed"; readonly id: number; readonly report: IndexReport | undefined }
  | { readonly tell: "closed"; readonly id: number }
  | { readonly tell: "failed"; readonly id: number; readonly reason: string }
  | {
      readonly tell: "read";
      readonly id: number;
      readonly body: Uint8Array;
      readonly contentType: string | undefined;
      readonly url: string;
    };

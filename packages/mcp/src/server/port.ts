import type { CallToolResult, Tool } from "@modelcontextprotocol/server";

export type { CallToolResult, Tool } from "@modelcontextprotocol/server";

/** One page of the tools that a client may call. */
export interface ToolPage {
  readonly tools: readonly Tool[];
  /** The cursor of the next page; undefined on the last page. */
  readonly nextCursor?: string;
}

/** A call that a client sent. */
export interface ServedCall {
  readonly name: string;
  /** The arguments. Nothing has checked them yet. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Tells the client that the call goes on. It has no effect if the client did not ask for progress. */
  readonly onProgress: (message: string) => void;
}

/** The tools of one client. */
export interface ServedTools {
  /** @param cursor - the `nextCursor` of an earlier page; undefined for the first page. */
  list(cursor: string | undefined): Promise<ToolPage>;
  /** Returns the result of a call; undefined if there is no tool with this name. */
  call(call: ServedCall): Promise<CallToolResult | undefined>;
}

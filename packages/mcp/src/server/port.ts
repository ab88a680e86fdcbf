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
  /** Whether the client accepts a task in place of the result. */
  readonly acceptsTask: boolean;
  /** Whether the client can show a person a link, in the revision 2026-07-28 (elicitation in the mode `url`). */
  readonly acceptsLinks: boolean;
  /** What the client returns after {@link ServedLinks}; absent in the first round. Nothing has checked it yet. */
  readonly resumed?: ResumedCall;
  /**
   * Whether the work ends with the call, because the client asked for that. By default it continues without the client.
   */
  readonly isCancelledWithCall: boolean;
  /** Tells the client that the call continues. It has no effect if the client did not ask for progress. */
  readonly onProgress: (message: string) => void;
}

/** A call whose work continues after the response, in the extension `io.modelcontextprotocol/tasks`. */
export interface ServedTask {
  readonly taskId: string;
  readonly status: "working" | "completed" | "cancelled";
  /** What the work waits for, in a sentence for people and models; absent while it needs nothing. */
  readonly statusMessage?: string;
  /** The time at which the work began, and that of its latest known change: ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** The result of the call; only of a task that is completed. */
  readonly result?: CallToolResult;
}

/** The tasks in which the calls of a client continue. */
export interface ServedTasks {
  /** Returns a task; undefined if the client has none with this id. */
  find(taskId: string): Promise<ServedTask | undefined>;
  /** Requests the end of a task. Returns false if the client has none with this id. */
  cancel(taskId: string): Promise<boolean>;
}

/** Links that a person has to open before the call can continue. The client shows them, and then repeats the call. */
export interface ServedLinks {
  /** The work that the repeated call continues. The client brings it back as {@link ResumedCall.state}. */
  readonly state: string;
  readonly links: readonly ServedLink[];
}

/** One link of {@link ServedLinks}. */
export interface ServedLink {
  /** Names the link among those of the call. */
  readonly key: string;
  /** Why the person should open it, in a sentence. */
  readonly message: string;
  /** An absolute `http` or `https` URL. */
  readonly url: string;
}

/** A call that a client repeats after it has shown the links of {@link ServedLinks}. */
export interface ResumedCall {
  readonly state: string;
  /** The keys of the links that the client has shown, whatever the person did with them. */
  readonly shown: readonly string[];
}

/** The response to a call. */
export type ServedOutcome =
  | { readonly result: CallToolResult }
  | { readonly task: ServedTask }
  | { readonly asked: ServedLinks };

/** The tools of one client. */
export interface ServedTools {
  /** @param cursor - the `nextCursor` of an earlier page; undefined for the first page. */
  list(cursor: string | undefined): Promise<ToolPage>;
  /**
   * Returns the result of a call, or in its place a task or links if the client accepts them; undefined if there is no
   * tool with this name.
   */
  call(call: ServedCall): Promise<ServedOutcome | undefined>;
  readonly tasks: ServedTasks;
}

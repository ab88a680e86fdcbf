import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { GroupFetch } from "@yagate/egress";
import type { InputQuestion, JsonObject, JsonValue, RecordedAnswers, Resumption, Timings } from "@yagate/protocol";

/** An MCP server as a client reaches it. */
export interface McpEndpoint {
  /** The URL of Streamable HTTP. */
  readonly url: string;
  /** The `fetch` of an egress guard. */
  readonly fetch: GroupFetch;
  /** Headers of every request, such as a credential. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Which revisions of the protocol a server supports. To store, per source and credential, with a date: a verdict saves
 * a request for each connection. It is JSON.
 */
export type EraVerdict = PriorDiscovery;

/** A tool as a server lists it. Nothing in it is trusted. */
export interface ListedMcpTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, of the type object. */
  readonly parameters: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The server's own hints, such as `readOnlyHint`. */
  readonly annotations?: JsonObject;
}

/** A tool that a list contains but that cannot be used. */
export interface SkippedMcpTool {
  /** The name without invisible characters, cut to 100 characters; empty if the tool has no name. */
  readonly name: string;
  readonly reason: string;
}

/** All tools of a server. */
export interface McpListing {
  readonly tools: readonly ListedMcpTool[];
  readonly skipped: readonly SkippedMcpTool[];
  /** Undefined if the server's response allows no verdict, such as 429. */
  readonly verdict: EraVerdict | undefined;
}

/** The HTTP request that carries a call. Its fields are set as the request proceeds. */
export interface CallRequestFacts {
  /** The body; absent until the request is about to be sent. */
  body?: string;
  status?: number;
  /** Size of all response bodies of the connection, in bytes. */
  responseBytes?: number;
  timings?: Timings;
  /** The response's `Retry-After`. */
  retryAfter?: string;
}

/** A file in the result of a call. */
export interface McpAttachment {
  readonly mediaType: string;
  /** The content in base64. */
  readonly data: string;
  /** The URI that the server gives to the content; absent if it gives none. It is never fetched. */
  readonly uri?: string;
}

/** What a server requires before it continues a call. */
export interface McpRequiredInput {
  /** Questions to a person; empty if the call only has to be repeated with the state. */
  readonly questions: readonly InputQuestion[];
  /** What the server wants to receive back, unchanged: at most 64 KiB. */
  readonly requestState?: string;
}

/** What continues a call that required input. */
export interface McpContinuation {
  readonly answers: RecordedAnswers;
  readonly requestState?: string;
}

/** How long a server keeps a task, and how often it wants to be polled. Nothing in it is trusted. */
export interface McpTaskTimes {
  /** Time in ms from the creation of the task until the server may discard it; null if it never does. */
  readonly ttlMs: number | null;
  /** The interval of requests that the server suggests, in ms; absent if it suggests none. */
  readonly pollIntervalMs?: number;
}

/** A task in which a server continues a call. */
export interface McpCreatedTask extends McpTaskTimes {
  /** At most 1,024 characters. */
  readonly taskId: string;
}

/**
 * What a call returns: a result, the task in which the server continues the call, the input that the server requires
 * first, that the server no longer accepts the state of a continued call, which has then done nothing, or that the
 * response to a resumed call can no longer be read.
 */
export type McpCallOutcome =
  | McpCallResult
  | { readonly task: McpCreatedTask; readonly verdict: EraVerdict | undefined }
  | { readonly requiredInput: McpRequiredInput; readonly verdict: EraVerdict | undefined }
  | { readonly isInputExpired: true }
  | { readonly isResumptionLost: true };

/**
 * How a call survives the process that sent it. Only servers with sessions that number the events of a response allow
 * it.
 */
export interface McpResumptionOptions {
  /** Reads the response to an earlier call instead of calling the tool. */
  readonly resumption?: Resumption | undefined;
  /** Called when the response can be resumed, and from time to time when more of it was read. */
  readonly onResumable?: (resumption: Resumption) => void;
  /**
   * When aborted, the call ends. A response that can be resumed stays available at the server: neither the call is
   * cancelled nor the session ended there.
   */
  readonly detach?: AbortSignal;
}

/** The result of a call. Everything in it is untrusted. */
export interface McpCallResult {
  /** Whether the server reports that the tool failed. The model can act on it. */
  readonly isError: boolean;
  /** The structured content, if the result has one; else its texts, joined by line breaks. */
  readonly value: JsonValue;
  /** Whether `value` is structured content. */
  readonly isStructured: boolean;
  readonly attachments: readonly McpAttachment[];
  /** Resources that the result refers to. They are never fetched. */
  readonly links: readonly { readonly uri: string; readonly name: string }[];
  readonly verdict: EraVerdict | undefined;
}

/**
 * The state of a task. `failed` contains the code of the JSON-RPC error with which the call ended. `unknown` means that
 * the server has no such task, or has it no longer.
 */
export type McpTaskState =
  | (McpTaskTimes & { readonly status: "working" })
  | (McpTaskTimes & { readonly status: "input_required"; readonly questions: readonly InputQuestion[] })
  | { readonly status: "completed"; readonly result: Omit<McpCallResult, "verdict"> }
  | { readonly status: "failed"; readonly code: number | undefined }
  | { readonly status: "cancelled" }
  | { readonly status: "unknown" };

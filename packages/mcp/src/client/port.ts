import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { GroupFetch } from "@yagate/egress";
import type { InputQuestion, JsonObject, JsonValue, RecordedAnswers, Timings } from "@yagate/protocol";

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

/**
 * What a call returns: a result, the input that the server requires first, or that the server no longer accepts the state
 * of a continued call, which has then done nothing.
 */
export type McpCallOutcome =
  | McpCallResult
  | { readonly requiredInput: McpRequiredInput; readonly verdict: EraVerdict | undefined }
  | { readonly isInputExpired: true };

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

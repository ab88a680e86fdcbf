import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type { CallContext, Failure, ToolCall, ToolExecutor } from "../calls/port.ts";

/** A tool whose code is its author's webhook. */
export interface Webhook {
  readonly tool: HandlerToolDefinition;
  readonly addedHeaders?: AddedHeaders;
}

/** Headers that the author of a tool adds to every signed call. No signature covers them. */
export interface AddedHeaders {
  /** With `***NAME***` in place of each secret: may be shown, stored and hashed. */
  readonly shown: Readonly<Record<string, string>>;
  /** Opens their secrets for one attempt. @throws YagateError `UNAVAILABLE`, or as a sealed text that can't be opened. */
  open(workspaceId: string): Promise<OpenedHeaders | { readonly failure: Failure }>;
}

/** Headers with their secrets. They must not be stored. */
export interface OpenedHeaders {
  readonly values: Readonly<Record<string, string>>;
  /** Removes their secrets from the handler's response. */
  readonly redaction: Redaction;
}

/** One attempt of a signed call. */
export interface Attempt {
  readonly call: ToolCall;
  readonly webhook: Webhook;
  readonly context: CallContext;
}

/** Sends signed calls. */
export interface Dispatcher {
  /** What runs the calls of one webhook; all of them share the limits of its endpoint. */
  executorOf(webhook: Webhook): ToolExecutor;
}

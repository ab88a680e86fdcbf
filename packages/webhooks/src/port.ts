import type { CallContext, ToolCall, ToolExecutor } from "@yagate/calls/port";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { HandlerToolDefinition } from "@yagate/protocol";

/** A handler tool: a tool whose code runs in its author's handler. */
export interface Webhook {
  readonly tool: HandlerToolDefinition;
  readonly addedHeaders?: AddedHeaders;
  /** Whether the body says that a person sends an ended call again. */
  readonly isRedelivery?: true;
}

/** Headers that the author of a tool adds to every signed call. The signature does not cover them. */
export interface AddedHeaders {
  /** The headers with `***NAME***` instead of each secret. They may be shown, stored and hashed. */
  readonly shown: Readonly<Record<string, string>>;
  /**
   * Decrypts the secrets in the headers for one attempt.
   *
   * @throws YagateError `UNAVAILABLE` if the store is unavailable, or `INTERNAL` if an encrypted value can't be decrypted.
   */
  open(workspaceId: string): Promise<OpenedHeaders | { readonly failure: Failure }>;
}

/** Headers that contain their secrets. They must not be stored. */
export interface OpenedHeaders {
  readonly values: Readonly<Record<string, string>>;
  /** Removes the secrets from the handler's response. */
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
  /** Returns the executor for calls to one handler tool. All executors for the same endpoint share its limits. */
  executorOf(webhook: Webhook): ToolExecutor;
}

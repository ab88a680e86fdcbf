import type { CallbackTimes, CallContext, ToolCall, ToolExecutor } from "@yagate/calls/port";
import type { EgressGuard } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type { EndpointRegistry } from "./endpoints/endpoint-registry.ts";

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

/** The URL and the token with which a handler may send its result later. */
export interface CallbackTicket {
  readonly url: string;
  readonly token: string;
}

/** Issues the callback tickets of asynchronous calls. */
export interface CallbackTickets {
  /**
   * Returns the ticket of a call, which is the same for all of its attempts with one capability.
   *
   * @param call.knownBy - time until which the gateway's own address may become known, in ms since the epoch.
   * @returns undefined if the gateway does not know the address at which handlers reach it.
   */
  issue(
    call: {
      readonly workspaceId: string;
      readonly executionId: string;
      readonly toolCallId: string;
      readonly knownBy: number;
    },
    times: CallbackTimes,
  ): Promise<CallbackTicket | undefined>;
}

/** Options for a dispatcher. */
export interface DispatcherOptions {
  /** Returns the egress guard for hosts that an author of the workspace configured. */
  readonly egressOf: (workspaceId: string) => Pick<EgressGuard, "request">;
  readonly signingSecrets: {
    /**
     * Returns the live secrets with this name, newest first; a promise only if they have to be loaded. If there are
     * none, returns an empty list or throws `NOT_FOUND`.
     */
    forSigning(workspaceId: string, name: string): readonly string[] | Promise<readonly string[]>;
  };
  /** Issues callback tickets. Without it, asynchronous calls fail. */
  readonly callbacks?: CallbackTickets;
  readonly endpoints: Pick<EndpointRegistry, "isDisabled" | "disable" | "trafficTo">;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  /** Maximum size of a response body in bytes; default 500,000. */
  readonly maxResponseBytes?: number;
  /**
   * Returns whether the gateway records spans of its attempts, which are then the parents of the handler's spans;
   * default: it does not.
   */
  readonly isTraceRecorded?: () => boolean;
  /** Logs an error in the gateway itself. */
  readonly onError?: (error: unknown, call: Pick<ToolCall, "executionId" | "toolCallId">) => void;
}

import type { CallbackTimes, ToolCall } from "@yagate/calls/port";
import type { EgressGuard } from "@yagate/egress";
import type { EndpointRegistry } from "./endpoints/endpoint-registry.ts";

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

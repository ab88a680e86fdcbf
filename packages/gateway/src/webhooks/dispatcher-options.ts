import type { EgressGuard } from "@yagate/egress";
import type { CallbackTimes, ToolCall } from "../calls/port.ts";
import type { EndpointRegistry } from "./endpoints/endpoint-registry.ts";

/** Where and how a handler may send its result later. */
export interface CallbackTicket {
  readonly url: string;
  readonly token: string;
}

/** Makes what an asynchronous call carries. */
export interface CallbackTickets {
  /**
   * The same for all attempts of a call.
   *
   * @param call.knownBy - ms since the epoch: until when the gateway's own address may become known.
   * @returns nothing when the gateway does not know where it can be reached.
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

/** What a dispatcher works with. */
export interface DispatcherOptions {
  /** Egress to hosts that an author of the workspace configured. */
  readonly egressOf: (workspaceId: string) => Pick<EgressGuard, "request">;
  readonly signingSecrets: {
    /** The live secrets of a name, newest first; empty or `NOT_FOUND` when there is none. */
    forSigning(workspaceId: string, name: string): Promise<readonly string[]>;
  };
  /** Without it no call can be made whose result comes later. */
  readonly callbacks?: CallbackTickets;
  readonly endpoints: Pick<EndpointRegistry, "isDisabled" | "disable" | "trafficTo">;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Maximum size of a response body in bytes; default 500 000. */
  readonly maxResponseBytes?: number;
  /** Whether the gateway writes spans of its attempts, below which a handler's hang; default: it does not. */
  readonly isTraceRecorded?: () => boolean;
  /** Reports a defect of the gateway, for the log. */
  readonly onError?: (error: unknown, call: Pick<ToolCall, "executionId" | "toolCallId">) => void;
}

import type { ApprovedDestinations, EgressGuard } from "../../egress/index.ts";
import type { WorkspaceSecrets } from "../../secrets/workspace-secrets.ts";

/** A call that asks for its share of what its workspace's plan allows. */
export interface NetworkAdmission {
  readonly workspaceId: string;
  readonly executionId: string;
  /** Which of the execution's calls over the network it is, 1 for the first; undefined: it belongs to none. */
  readonly ordinal: number | undefined;
}

/** What the plan says to a call; the message is for the model. */
export type NetworkAllowance =
  | { readonly isAdmitted: true; readonly responseBytes: number; readonly creditsPerCall: number }
  | { readonly isAdmitted: false; readonly message: string; readonly retryAfterMs?: number };

/** What requests of network tools need of the rest of the gateway. */
export interface NetworkServices {
  /** The way out, to any port: which ones are open is said with each request. */
  readonly egress: Pick<EgressGuard, "request">;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly limits: { admit(admission: NetworkAdmission): Promise<NetworkAllowance> };
  readonly integrations: {
    /** Where the integrations of these names lead; those that the workspace does not have lead nowhere. */
    approved(workspaceId: string, names: readonly string[]): Promise<readonly ApprovedDestinations[]>;
  };
  /** Ports that are open where nobody names any. */
  readonly ports: readonly number[];
  /** Whether the operator opened networks to hosts that a person wrote down. */
  readonly hasOpenedNetworks: boolean;
  /** ms since the epoch. */
  readonly now: () => number;
  /** A defect of the gateway: for the log. */
  readonly onError?: (error: unknown, call: { readonly executionId: string; readonly toolCallId: string }) => void;
}

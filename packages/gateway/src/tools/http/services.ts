import type { EgressGuard, OpenedHosts } from "@yagate/egress";
import type { NetworkLimits } from "../../policy/rate-limits/call-limits.ts";
import type { WorkspaceSecrets } from "../../secrets/workspace-secrets.ts";
import type { Integrations } from "../integrations/integrations.ts";

/** The ways out that requests of one workspace have. */
export interface WorkspaceEgress {
  /** The way to hosts that were approved with their ports, which each request brings: it takes any port. */
  readonly approved: Pick<EgressGuard, "request">;
  /** The way to hosts that the author of a tool or an agent wrote into a URL: as handlers have it. */
  readonly written: Pick<EgressGuard, "request">;
  /** Whether the operator opened networks to hosts that a person of this workspace wrote down. */
  readonly hasOpenedNetworks: boolean;
  /** Which hosts are inside those, as far as their text shows it. */
  readonly isOpened: OpenedHosts;
}

/** What requests of network tools need of the rest of the gateway. */
export interface NetworkServices {
  readonly egressOf: (workspaceId: string) => WorkspaceEgress;
  readonly secrets: Pick<WorkspaceSecrets, "describe" | "open">;
  readonly limits: NetworkLimits;
  readonly integrations: Pick<Integrations, "enabled">;
  /** Ports that are open where nobody names any. */
  readonly ports: readonly number[];
  /** ms since the epoch. */
  readonly now: () => number;
  /** A defect of the gateway: for the log. */
  readonly onError?: (error: unknown, call: { readonly executionId: string; readonly toolCallId: string }) => void;
}

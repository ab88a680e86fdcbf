import type { EgressGuard, OpenedHosts } from "@yagate/egress";
import type { NetworkLimits } from "../../policy/rate-limits/call-limits.ts";
import type { WorkspaceSecrets } from "../../secrets/workspace-secrets.ts";
import type { Integrations } from "../integrations/integrations.ts";

/** The egress routes of one workspace. */
export interface WorkspaceEgress {
  /** To the hosts of integrations. Their ports are checked for each request, so the guard allows any. */
  readonly integration: Pick<EgressGuard, "request">;
  /** To hosts that the author of a tool or an agent wrote into a URL, under the same policy as handlers. */
  readonly authored: Pick<EgressGuard, "request">;
  /** Whether the operator allowlisted networks for hosts that the workspace configures. */
  readonly hasOpenedNetworks: boolean;
  /** Which hosts are inside those networks, as far as their text shows it. */
  readonly isOpened: OpenedHosts;
}

/** What network tools need from the rest of the gateway. */
export interface NetworkServices {
  readonly egressOf: (workspaceId: string) => WorkspaceEgress;
  readonly secrets: Pick<WorkspaceSecrets, "describe" | "open">;
  readonly limits: NetworkLimits;
  readonly integrations: Pick<Integrations, "enabled">;
  /** Ports that are allowed by default. */
  readonly ports: readonly number[];
  /** ms since the epoch. */
  readonly now: () => number;
  /** A defect of the gateway: for the log. */
  readonly onError?: (error: unknown, call: { readonly executionId: string; readonly toolCallId: string }) => void;
}

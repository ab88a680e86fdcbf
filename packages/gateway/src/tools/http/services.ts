import type { EgressGuard, OpenedHosts } from "@yagate/egress";
import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import type { OpenedSecret, WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import type { NetworkLimits } from "../../policy/rate-limits/call-limits.ts";
import type { Integrations } from "../integrations/integrations.ts";

/** The egress routes of one workspace. */
export interface WorkspaceEgress {
  /**
   * Sends requests to the hosts of integrations. A separate check limits the ports of each request, so this guard
   * allows any port.
   */
  readonly integration: Pick<EgressGuard, "request">;
  /**
   * Sends requests to hosts in URLs that the author of a tool or an agent wrote, under the same policy as for handlers.
   */
  readonly authored: Pick<EgressGuard, "request">;
  /** Whether the operator allowlisted networks for hosts that the workspace configures. */
  readonly hasOpenedNetworks: boolean;
  /** Checks whether a host is inside the allowlisted networks, as far as this is clear from its text alone. */
  readonly isOpened: OpenedHosts;
}

/** What network tools need from other parts of the gateway. */
export interface NetworkServices {
  readonly egressOf: (workspaceId: string) => WorkspaceEgress;
  readonly secrets: Pick<WorkspaceSecrets, "describe" | "open">;
  readonly limits: NetworkLimits;
  readonly integrations: Pick<Integrations, "enabled">;
  /** Ports that are allowed by default. */
  readonly ports: readonly number[];
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /** Called with the error of a defect in the gateway, so that it can be logged. */
  readonly onError?: (error: unknown, call: { readonly executionId: string; readonly toolCallId: string }) => void;
}

/** The secrets of one workspace that are decrypted while a request is prepared. */
export interface OpenedSecrets {
  get(name: string): OpenedSecret | undefined;
  /** The values of these secrets, in every form that would reveal one. */
  readonly named: readonly NamedSecret[];
}

/** Decrypts secrets. Secrets that do not exist in the workspace are left out. */
export async function openSecrets(
  secrets: Pick<WorkspaceSecrets, "open">,
  workspaceId: string,
  names: Iterable<string>,
): Promise<OpenedSecrets> {
  const opened = new Map<string, OpenedSecret>();
  await Promise.all(
    [...new Set(names)].map(async (name) => {
      const secret = await secrets.open(workspaceId, name);
      if (secret !== undefined) opened.set(name, secret);
    }),
  );
  return {
    get: (name) => opened.get(name),
    named: [...opened].flatMap(([name, { texts }]) => texts.map((value) => ({ name, value }))),
  };
}

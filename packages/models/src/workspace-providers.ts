import type { SecretAuth } from "@yagate/protocol";

/** A provider that a workspace configured for itself. It replaces the gateway's own of that name whole. */
export interface WorkspaceProvider {
  /** The workspace's secret that holds its key. */
  readonly secretName: string;
  /** The key now, and the hosts that it names as the only ones; undefined when there is no such secret. */
  readonly secret:
    | { readonly value: string; readonly auth?: SecretAuth | null; readonly hosts: readonly string[] }
    | undefined;
  /** What the workspace wrote; null: the gateway's base URL of that name, or the provider's own address. */
  readonly baseUrl: string | null;
  /** Provider and secret are from before keys were bound to hosts, and neither was written since. */
  readonly isUnbound: boolean;
}

/** Asked at each turn, so that a new key counts from the next one on. */
export interface WorkspaceProviders {
  find(workspaceId: string, name: string): Promise<WorkspaceProvider | undefined>;
}

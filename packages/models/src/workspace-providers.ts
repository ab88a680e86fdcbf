import type { SecretAuth } from "@yagate/protocol";

/** A provider that a workspace configured. It completely replaces the operator's provider of the same name. */
export interface WorkspaceProvider {
  /** The name of the workspace's secret that contains the key. */
  readonly secretName: string;
  /** The current key and the only hosts that may receive it; undefined if the secret does not exist. */
  readonly secret:
    | { readonly value: string; readonly auth?: SecretAuth | null; readonly hosts: readonly string[] }
    | undefined;
  /** The base URL that the workspace set. Null: the operator's base URL for this name, or the provider's own. */
  readonly baseUrl: string | null;
  /**
   * Whether the provider and the secret were both stored before keys were bound to hosts, and have not changed since.
   */
  readonly isUnbound: boolean;
}

/** The workspaces' providers. They are read for each turn, so a new key applies from the next turn. */
export interface WorkspaceProviders {
  find(workspaceId: string, name: string): Promise<WorkspaceProvider | undefined>;
}

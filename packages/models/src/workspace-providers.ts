import type { SecretAuth } from "@yagate/protocol";

/** A provider configured by a workspace. It completely replaces the gateway's provider of the same name. */
export interface WorkspaceProvider {
  /** The workspace's secret that contains its key. */
  readonly secretName: string;
  /** The current key, and the only hosts that may receive it; undefined if the secret does not exist. */
  readonly secret:
    | { readonly value: string; readonly auth?: SecretAuth | null; readonly hosts: readonly string[] }
    | undefined;
  /** The base URL that the workspace set; null: the gateway's for that name, or the provider's own. */
  readonly baseUrl: string | null;
  /** Both provider and secret were stored before keys were bound to hosts, and have not changed since. */
  readonly isUnbound: boolean;
}

/** Read at each turn, so a new key applies from the next turn on. */
export interface WorkspaceProviders {
  find(workspaceId: string, name: string): Promise<WorkspaceProvider | undefined>;
}

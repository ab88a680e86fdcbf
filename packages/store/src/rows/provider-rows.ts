import type { Page, PageQuery } from "@yagate/protocol";
import type { Audit } from "./audit-rows.ts";

/** A model provider of a workspace. */
export interface WorkspaceProviderRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly secretName: string;
  readonly baseUrl: string | null;
  /** Not written since keys of providers are bound to hosts. */
  readonly isUnbound: boolean;
  /** Both in ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A provider as it is written. */
export type WorkspaceProviderChange = Omit<WorkspaceProviderRow, "isUnbound">;

/** What the key of a request may do to a provider. */
export interface ProviderPermission {
  /** Set, change or remove its base URL. */
  readonly mayChangeUrl: boolean;
}

/** A key that goes to an address that a workspace wrote, although its secret names no hosts. */
export interface UnboundKeyRow {
  readonly workspaceId: string;
  readonly provider: string;
  readonly secretName: string;
  readonly baseUrl: string;
}

export interface WorkspaceProviderStore {
  /**
   * Makes it, or replaces it if it is there; its `createdAt` stays.
   * @throws YagateError `CONFLICT` when the workspace would have more than `maxProviders`; `FORBIDDEN` for another base URL
   * than it has, without the permission.
   */
  put(
    provider: WorkspaceProviderChange,
    options: ProviderPermission & { readonly maxProviders: number },
    audit?: Audit<WorkspaceProviderRow>,
  ): Promise<WorkspaceProviderRow>;
  /** @throws YagateError `FORBIDDEN`, as `put` would at the moment. */
  assertMayPut(
    provider: Pick<WorkspaceProviderRow, "workspaceId" | "name" | "baseUrl">,
    permission: ProviderPermission,
  ): Promise<void>;
  find(workspaceId: string, name: string): Promise<WorkspaceProviderRow | undefined>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<WorkspaceProviderRow>>;
  /** @throws YagateError `NOT_FOUND`; `FORBIDDEN` for one with a base URL, without the permission. */
  delete(
    workspaceId: string,
    name: string,
    permission: ProviderPermission,
    audit?: Audit<WorkspaceProviderRow>,
  ): Promise<void>;
  /** Of all workspaces: providers with a base URL and secrets without hosts, neither written since keys are bound to hosts. */
  listUnbound(): Promise<readonly UnboundKeyRow[]>;
}

import type { Page, PageQuery } from "@yagate/protocol";
import type { Audit } from "./audit-rows.ts";

/** A model provider of a workspace. */
export interface WorkspaceProviderRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly secretName: string;
  readonly baseUrl: string | null;
  /** Both in ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface WorkspaceProviderStore {
  /**
   * Makes it, or replaces it if it is there; its `createdAt` stays.
   * @throws YagateError `CONFLICT` when the workspace would have more than `maxProviders`.
   */
  put(
    provider: WorkspaceProviderRow,
    maxProviders: number,
    audit?: Audit<WorkspaceProviderRow>,
  ): Promise<WorkspaceProviderRow>;
  find(workspaceId: string, name: string): Promise<WorkspaceProviderRow | undefined>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<WorkspaceProviderRow>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: Audit<WorkspaceProviderRow>): Promise<void>;
}

import type { Integration, Page, PageQuery } from "@yagate/protocol";
import type { Audit } from "./audit-rows.ts";

export interface IntegrationStore {
  /** @throws YagateError `CONFLICT` when the name is taken, or the workspace would have more than `maxIntegrations`. */
  create(
    workspaceId: string,
    integration: Integration,
    maxIntegrations: number,
    audit?: Audit<Integration>,
  ): Promise<void>;
  find(workspaceId: string, name: string): Promise<Integration | undefined>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Integration>>;
  /** @throws YagateError `CONFLICT` when the current version is not `expectedVersion`, `NOT_FOUND`. */
  update(
    workspaceId: string,
    integration: Integration,
    expectedVersion: number,
    audit?: Audit<Integration>,
  ): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: Audit<Integration>): Promise<void>;
}

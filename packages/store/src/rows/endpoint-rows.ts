import type { Page, PageQuery } from "@yagate/protocol";
import type { Audit } from "./audit-rows.ts";

/** A handler URL as it is stored; times are ms since the epoch. */
export interface EndpointRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly disabledAt: number | null;
  readonly reason: string | null;
}

export interface EndpointStore {
  /** Every disabled endpoint of every workspace, for the dispatcher's memory at start. */
  listDisabled(): Promise<readonly EndpointRow[]>;
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointRow>>;
  /** Adds an enabled one; one that is known stays as it is, but for when it was used. */
  add(endpoint: Pick<EndpointRow, "id" | "workspaceId" | "url"> & { readonly usedAt: number }): Promise<void>;
  /** Adds it if it is new. */
  disable(endpoint: EndpointRow): Promise<void>;
  /** Counts as use. @throws YagateError `NOT_FOUND`. */
  enable(workspaceId: string, endpointId: string, at: number, audit?: Audit<EndpointRow>): Promise<EndpointRow>;
}

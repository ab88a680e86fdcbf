import { type AuditEntry, type AuditQuery, auditEntrySchema, pageSchema } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";

const auditPageSchema = pageSchema(auditEntrySchema);

/** Which entries of the audit log are read; every part that is given must hold. */
export type AuditListQuery = ListQuery & Omit<AuditQuery, "limit" | "cursor">;

/** Who changed what in a workspace; needs the scope `admin`. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list(query: AuditListQuery = {}): PagedList<AuditEntry> {
    const { limit, cursor, signal, ...filter } = query;
    const source = { transport: this.#transport, path: "/v1/audit", schema: auditPageSchema, filter };
    return toPagedList(source, { limit, cursor, signal });
  }
}

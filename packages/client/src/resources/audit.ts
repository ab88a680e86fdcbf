import { type AuditEntry, type AuditQuery, auditEntrySchema, pageSchema } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { momentText } from "../lists/moment-text.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";

const auditPageSchema = pageSchema(auditEntrySchema);

/** Which entries of the audit log are read; every part that is given must hold. */
export type AuditListQuery = ListQuery &
  Omit<AuditQuery, "limit" | "cursor" | "since" | "until"> & {
    /** Entries from this moment on; a `Date`, or RFC 3339. */
    readonly since?: string | Date | undefined;
    /** Entries before this moment. */
    readonly until?: string | Date | undefined;
  };

/** Who changed what in a workspace; needs the scope `admin`. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Newest first.
   *
   * @throws YagateError `INVALID_REQUEST` for a `Date` that is not valid.
   */
  list(query: AuditListQuery = {}): PagedList<AuditEntry> {
    const { limit, cursor, signal, since, until, ...others } = query;
    const moments = { since: momentText(since, "audit.list: since"), until: momentText(until, "audit.list: until") };
    const filter = { ...others, ...moments };
    const source = { transport: this.#transport, path: "/v1/audit", schema: auditPageSchema, filter };
    return toPagedList(source, { limit, cursor, signal });
  }
}

import { type AuditEntry, type AuditQuery, auditEntrySchema, pageSchema } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { momentText } from "../lists/moment-text.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";

const auditPageSchema = pageSchema(auditEntrySchema);

/** Which entries of the audit log to list. All given filters must match. */
export type AuditListQuery = ListQuery &
  Omit<AuditQuery, "limit" | "cursor" | "since" | "until"> & {
    /** Entries at or after this time: a `Date` or RFC 3339. */
    readonly since?: string | Date | undefined;
    /** Entries before this time. */
    readonly until?: string | Date | undefined;
  };

/** The audit log of a workspace. The key needs the scope `admin`. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists entries, newest first.
   *
   * @throws YagateError `INVALID_REQUEST` for an invalid `Date`.
   */
  list(query: AuditListQuery = {}): PagedList<AuditEntry> {
    const { limit, cursor, signal, since, until, ...others } = query;
    const moments = { since: momentText(since, "audit.list: since"), until: momentText(until, "audit.list: until") };
    const filter = { ...others, ...moments };
    const source = { transport: this.#transport, path: "/v1/audit", schema: auditPageSchema, filter };
    return toPagedList(source, { limit, cursor, signal });
  }
}

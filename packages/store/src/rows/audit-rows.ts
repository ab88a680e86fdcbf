import type { AuditEntry, Page } from "@yagate/protocol";

/** ms since the epoch. */
type EpochMs = number;

/** An entry of the audit log as it is stored. */
export interface AuditRow {
  readonly id: string;
  /** The workspace that was changed. */
  readonly workspaceId: string;
  readonly at: EpochMs;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Null where no stored API key made the change. */
  readonly keyId: string | null;
  /** The JSON text of the whole public entry. */
  readonly entry: string;
}

/**
 * What the audit log keeps of a change, from what there was before and after it (null: nothing). Called inside the
 * change's unit of work, which may run twice. Undefined: nothing has changed.
 */
export type Audit<Resource> = (before: Resource | null, after: Resource | null) => AuditRow | undefined;

/** How resources of one kind stand in the audit log. */
export interface AuditSubject<Resource> {
  readonly type: string;
  readonly idOf: (resource: Resource) => string;
  readonly nameOf?: (resource: Resource) => string;
  /** What of it is public: never a secret value. */
  readonly show: (resource: Resource) => object;
  /** Two states may look alike although the change was one: a secret's value is not shown. */
  readonly isAlwaysChanged?: boolean;
}

/** Makes the entries of one request, or of one start of the gateway. */
export interface ChangeRecorder {
  /** @param workspaceId - the workspace that is changed. */
  of<Resource>(workspaceId: string, action: string, subject: AuditSubject<Resource>): Audit<Resource>;
}

/** Which entries are read; every part that is given must hold. */
export interface AuditFilter {
  readonly workspaceId: string;
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly keyId?: string | undefined;
  /** From this moment on. */
  readonly since?: EpochMs | undefined;
  /** Before this moment. */
  readonly until?: EpochMs | undefined;
}

/** The audit log. Entries are written with the changes that they tell of, see {@link Audit}. */
export interface AuditStore {
  /**
   * Newest first.
   * @param page.signal - aborted when the reader has gone: the page ends with what was found until then.
   */
  list(
    filter: AuditFilter,
    page: { readonly limit: number; readonly cursor?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Page<AuditEntry>>;
  /** Writes an entry alone: of a grant that is stored nowhere else. */
  append(row: AuditRow): Promise<void>;
  /** Deletes up to `limit` entries from before a moment, oldest first. @returns how many went. */
  deleteBefore(before: EpochMs, limit: number): Promise<number>;
}

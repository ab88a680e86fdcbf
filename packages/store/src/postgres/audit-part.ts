import type { AuditRow } from "../tables/audit.ts";

/**
 * The audit log entries of executions.
 *
 * @param at - returns the placeholder with an index.
 * @param source - the rows that the statement has written; entries of other executions are left out.
 */
export const auditPart = (at: (index: number) => string, source: "advanced" | "fresh") => `, audited AS (
    INSERT INTO audit_entries (id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    SELECT u.id, u.workspace_id, u.at, u.action, u.resource_type, u.resource_id, u.key_id, u.entry
    FROM unnest(${at(0)}::text[], ${at(1)}::text[], ${at(2)}::text[], ${at(3)}::bigint[], ${at(4)}::text[],
      ${at(5)}::text[], ${at(6)}::text[], ${at(7)}::text[], ${at(8)}::text[])
      AS u (execution_id, id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    JOIN ${source} a ON a.id = u.execution_id
  )`;

/** The number of placeholders of {@link auditPart}. */
export const AUDIT_SIZE = 9;

/** Returns the columns of {@link auditPart}. */
export function auditColumns(
  items: readonly { readonly executionId: string; readonly audit?: AuditRow | undefined }[],
): readonly (readonly (string | number | null)[])[] {
  const audited = items.flatMap(({ executionId, audit }) => (audit === undefined ? [] : [{ executionId, ...audit }]));
  return [
    audited.map(({ executionId }) => executionId),
    audited.map(({ id }) => id),
    audited.map(({ workspaceId }) => workspaceId),
    audited.map(({ at }) => at),
    audited.map(({ action }) => action),
    audited.map(({ resourceType }) => resourceType),
    audited.map(({ resourceId }) => resourceId),
    audited.map(({ keyId }) => keyId),
    audited.map(({ entry }) => entry),
  ];
}

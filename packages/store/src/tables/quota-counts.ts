import { QuotaExceededError } from "../quotas/quota-exceeded.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** Counts a workspace's resources that plans limit. */
export interface QuotaCounts {
  readonly agents: number;
  readonly tools: number;
  readonly secrets: number;
}

interface CountRecord {
  readonly count: number;
}

export function* countAgents(workspaceId: string): UnitOfWork<number> {
  return toCount(
    yield* first(sql<CountRecord>`
      SELECT count(*) AS count FROM agents WHERE workspace_id = ${workspaceId} AND archived_at IS NULL`),
  );
}

export function* countTools(workspaceId: string): UnitOfWork<number> {
  return toCount(
    yield* first(sql<CountRecord>`
      SELECT count(*) AS count FROM tools WHERE workspace_id = ${workspaceId} AND archived_at IS NULL`),
  );
}

export function* countSecrets(workspaceId: string): UnitOfWork<number> {
  return toCount(
    yield* first(sql<CountRecord>`
      SELECT count(*) AS count FROM workspace_secrets WHERE workspace_id = ${workspaceId}`),
  );
}

export function* countAll(workspaceId: string): UnitOfWork<QuotaCounts> {
  return {
    agents: yield* countAgents(workspaceId),
    tools: yield* countTools(workspaceId),
    secrets: yield* countSecrets(workspaceId),
  };
}

/** Converts a count: SQLite returns a number, PostgreSQL a string. */
function toCount(record: CountRecord | undefined): number {
  return Number(record?.count ?? 0);
}

/**
 * Checks a count against its quota.
 *
 * @param count - including the new resources.
 * @throws QuotaExceededError, which rolls back the creation.
 */
export function assertWithin(
  quota: "agents" | "tools" | "secrets",
  limit: number | null,
  count: number,
  made = 1,
): void {
  if (limit !== null && count > limit) throw new QuotaExceededError({ quota, limit, used: count - made });
}

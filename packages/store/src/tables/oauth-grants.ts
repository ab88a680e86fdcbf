import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { isLiveSource } from "./tool-source-row.ts";

/** The client and the tokens with which a tool source signs in to its MCP server. */
export interface OAuthGrantRow {
  readonly sourceId: string;
  readonly workspaceId: string;
  readonly issuer: string;
  readonly resource: string;
  /** The encrypted client and tokens as a compact JWE. */
  readonly sealed: string;
  /** Increases with every change of the tokens. */
  readonly revision: number;
  readonly updatedAt: EpochMs;
}

/** The right of one process to renew the tokens of a grant. */
export interface OAuthRenewal {
  readonly sourceId: string;
  /** The revision whose tokens are renewed. */
  readonly revision: number;
  /** Unique for this renewal. */
  readonly renewal: string;
}

/** What a renewal changes about a grant. */
export type RenewedGrant = Pick<OAuthGrantRow, "sealed" | "resource" | "updatedAt">;

export interface OAuthGrantStore {
  find(workspaceId: string, sourceId: string): Promise<OAuthGrantRow | undefined>;
  /** Creates a grant unless the source has one or was deleted. */
  create(grant: Omit<OAuthGrantRow, "revision">): Promise<void>;
  /**
   * Takes the right to renew a grant's tokens, unless another process has it or the tokens have changed.
   * @param until - when another process may take the right, in case this one ends.
   */
  startRenewal(renewal: OAuthRenewal, times: { readonly now: EpochMs; readonly until: EpochMs }): Promise<boolean>;
  /**
   * Stores renewed tokens and gives the right back.
   * @returns whether they were stored; false if this process lost the right or the grant was deleted.
   */
  finishRenewal(renewal: OAuthRenewal, renewed: RenewedGrant): Promise<boolean>;
  /** Gives the right back without new tokens. */
  cancelRenewal(renewal: OAuthRenewal): Promise<void>;
}

interface GrantRecord {
  readonly source_id: string;
  readonly workspace_id: string;
  readonly issuer: string;
  readonly resource: string;
  readonly sealed: string;
  readonly revision: number;
  readonly updated_at: number;
}

function* find(workspaceId: string, sourceId: string): UnitOfWork<OAuthGrantRow | undefined> {
  const record = yield* first(sql<GrantRecord>`
    SELECT source_id, workspace_id, issuer, resource, sealed, revision, updated_at FROM oauth_grants
    WHERE source_id = ${sourceId} AND workspace_id = ${workspaceId}`);
  if (record === undefined) return undefined;
  const { issuer, resource, sealed, revision, updated_at } = record;
  return { sourceId, workspaceId, issuer, resource, sealed, revision: Number(revision), updatedAt: Number(updated_at) };
}

function* create(grant: Omit<OAuthGrantRow, "revision">): UnitOfWork<void> {
  const { sourceId, workspaceId, issuer, resource, sealed, updatedAt } = grant;
  if (!(yield* isLiveSource(workspaceId, sourceId))) return;
  yield* first(sql`
    INSERT INTO oauth_grants (source_id, workspace_id, issuer, resource, sealed, revision, updated_at)
    VALUES (${sourceId}, ${workspaceId}, ${issuer}, ${resource}, ${sealed}, 1, ${updatedAt})
    ON CONFLICT (source_id) DO NOTHING`);
}

/** Stores a grant in the place of any other one, and ends a renewal that is in progress. */
export function* putOAuthGrant(grant: Omit<OAuthGrantRow, "revision">): UnitOfWork<void> {
  const { sourceId, workspaceId, issuer, resource, sealed, updatedAt } = grant;
  yield* first(sql`
    INSERT INTO oauth_grants (source_id, workspace_id, issuer, resource, sealed, revision, updated_at)
    VALUES (${sourceId}, ${workspaceId}, ${issuer}, ${resource}, ${sealed}, 1, ${updatedAt})
    ON CONFLICT (source_id) DO UPDATE
    SET issuer = excluded.issuer, resource = excluded.resource, sealed = excluded.sealed,
        revision = oauth_grants.revision + 1, renewing = NULL, renewing_until = NULL, updated_at = excluded.updated_at`);
}

/** Deletes the grant and the sign-in of a source, in the unit of work that makes them useless. */
export function* deleteOAuth(sourceId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM oauth_grants WHERE source_id = ${sourceId}`);
  yield* first(sql`DELETE FROM oauth_sign_ins WHERE source_id = ${sourceId}`);
}

function* startRenewal(
  { sourceId, revision, renewal }: OAuthRenewal,
  { now, until }: { readonly now: EpochMs; readonly until: EpochMs },
): UnitOfWork<boolean> {
  const row = yield* first(sql<{ source_id: string }>`
    UPDATE oauth_grants SET renewing = ${renewal}, renewing_until = ${until}
    WHERE source_id = ${sourceId} AND revision = ${revision} AND (renewing IS NULL OR renewing_until <= ${now})
    RETURNING source_id`);
  return row !== undefined;
}

function* finishRenewal(
  { sourceId, revision, renewal }: OAuthRenewal,
  { sealed, resource, updatedAt }: RenewedGrant,
): UnitOfWork<boolean> {
  const row = yield* first(sql<{ source_id: string }>`
    UPDATE oauth_grants
    SET sealed = ${sealed}, resource = ${resource}, revision = ${revision + 1}, renewing = NULL, renewing_until = NULL,
        updated_at = ${updatedAt}
    WHERE source_id = ${sourceId} AND revision = ${revision} AND renewing = ${renewal} RETURNING source_id`);
  return row !== undefined;
}

function* cancelRenewal({ sourceId, revision, renewal }: OAuthRenewal): UnitOfWork<void> {
  yield* first(sql`
    UPDATE oauth_grants SET renewing = NULL, renewing_until = NULL
    WHERE source_id = ${sourceId} AND revision = ${revision} AND renewing = ${renewal}`);
}

export function createOAuthGrantStore(units: UnitRunner): OAuthGrantStore {
  return {
    find: (workspaceId, sourceId) => units.read(() => find(workspaceId, sourceId)),
    create: (grant) => units.write(() => create(grant)),
    startRenewal: (...renewal) => units.write(() => startRenewal(...renewal)),
    finishRenewal: (...renewal) => units.write(() => finishRenewal(...renewal)),
    cancelRenewal: (renewal) => units.write(() => cancelRenewal(renewal)),
  };
}

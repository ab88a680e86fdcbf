import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";
import { type OAuthGrantRow, putOAuthGrant } from "./oauth-grants.ts";
import { isLiveSource } from "./tool-source-row.ts";

/** A sign-in that waits for the issuer's response, or for the code that the browser shows. */
export interface OAuthSignInRow {
  readonly sourceId: string;
  readonly workspaceId: string;
  /** SHA-256 of the state, in hex. */
  readonly stateHash: string;
  /** The API key that started the sign-in; null for the key of the configuration. */
  readonly keyId: string | null;
  readonly issuer: string;
  readonly resource: string;
  /** Encrypted: before the issuer's response the verifier, after it the tokens. */
  readonly sealed: string;
  readonly expiresAt: EpochMs;
}

/** Sign-ins in progress: at most one per source. */
export interface OAuthSignInStore {
  /**
   * Starts a sign-in, which replaces an earlier one of the source, and deletes those that have expired.
   * @returns whether the source still exists.
   */
  start(signIn: OAuthSignInRow, now: EpochMs): Promise<boolean>;
  /** Uses a state, at most once. Returns undefined if it is unknown, was used, or has expired. */
  use(stateHash: string, now: EpochMs): Promise<OAuthSignInRow | undefined>;
  /** Stores the content of the issuer's response. @returns whether the sign-in still exists. */
  hold(signIn: Pick<OAuthSignInRow, "stateHash" | "sealed">): Promise<boolean>;
  /**
   * Counts an attempt to confirm a sign-in that holds tokens. Returns undefined if the source has no such sign-in,
   * if it has expired, or if `maxAttempts` were made.
   */
  attempt(
    source: Pick<OAuthSignInRow, "workspaceId" | "sourceId">,
    limits: { readonly now: EpochMs; readonly maxAttempts: number },
  ): Promise<OAuthSignInRow | undefined>;
  /**
   * Ends a sign-in and stores its grant, in one commit.
   * @returns whether it was stored; false if the sign-in no longer exists.
   */
  finish(
    signIn: Pick<OAuthSignInRow, "stateHash">,
    grant: Omit<OAuthGrantRow, "revision">,
    audit?: Audit<Omit<OAuthGrantRow, "revision">>,
  ): Promise<boolean>;
  /** Deletes a sign-in that failed. */
  abandon(stateHash: string): Promise<void>;
}

interface SignInRecord {
  readonly source_id: string;
  readonly workspace_id: string;
  readonly state_hash: string;
  readonly key_id: string | null;
  readonly issuer: string;
  readonly resource: string;
  readonly sealed: string;
  readonly expires_at: number;
}

function toRow(record: SignInRecord | undefined): OAuthSignInRow | undefined {
  if (record === undefined) return undefined;
  const { source_id, workspace_id, state_hash, key_id, issuer, resource, sealed, expires_at } = record;
  const owner = { sourceId: source_id, workspaceId: workspace_id, stateHash: state_hash, keyId: key_id };
  return { ...owner, issuer, resource, sealed, expiresAt: Number(expires_at) };
}

function* start(signIn: OAuthSignInRow, now: EpochMs): UnitOfWork<boolean> {
  const { sourceId, workspaceId, stateHash, keyId, issuer, resource, sealed, expiresAt } = signIn;
  yield* first(sql`DELETE FROM oauth_sign_ins WHERE expires_at <= ${now}`);
  yield* first(sql`DELETE FROM oauth_sign_ins WHERE source_id = ${sourceId}`);
  if (!(yield* isLiveSource(workspaceId, sourceId))) return false;
  yield* first(sql`
    INSERT INTO oauth_sign_ins (source_id, workspace_id, state_hash, key_id, issuer, resource, sealed, used_at, attempts,
                                expires_at)
    VALUES (${sourceId}, ${workspaceId}, ${stateHash}, ${keyId}, ${issuer}, ${resource}, ${sealed}, NULL, 0,
            ${expiresAt})
    ON CONFLICT (source_id) DO UPDATE
    SET state_hash = excluded.state_hash, key_id = excluded.key_id, issuer = excluded.issuer,
        resource = excluded.resource, sealed = excluded.sealed, used_at = NULL, attempts = 0,
        expires_at = excluded.expires_at`);
  return true;
}

function* use(stateHash: string, now: EpochMs): UnitOfWork<OAuthSignInRow | undefined> {
  const record = yield* first(sql<SignInRecord>`
    UPDATE oauth_sign_ins SET used_at = ${now}
    WHERE state_hash = ${stateHash} AND used_at IS NULL AND expires_at > ${now}
    RETURNING source_id, workspace_id, state_hash, key_id, issuer, resource, sealed, expires_at`);
  return toRow(record);
}

function* hold({ stateHash, sealed }: Pick<OAuthSignInRow, "stateHash" | "sealed">): UnitOfWork<boolean> {
  const row = yield* first(sql<{ source_id: string }>`
    UPDATE oauth_sign_ins SET sealed = ${sealed} WHERE state_hash = ${stateHash} AND used_at IS NOT NULL
    RETURNING source_id`);
  return row !== undefined;
}

function* attempt(
  { workspaceId, sourceId }: Pick<OAuthSignInRow, "workspaceId" | "sourceId">,
  { now, maxAttempts }: { readonly now: EpochMs; readonly maxAttempts: number },
): UnitOfWork<OAuthSignInRow | undefined> {
  const record = yield* first(sql<SignInRecord>`
    UPDATE oauth_sign_ins SET attempts = attempts + 1
    WHERE source_id = ${sourceId} AND workspace_id = ${workspaceId} AND used_at IS NOT NULL AND expires_at > ${now}
      AND attempts < ${maxAttempts}
    RETURNING source_id, workspace_id, state_hash, key_id, issuer, resource, sealed, expires_at`);
  return toRow(record);
}

function* finish(
  { stateHash }: Pick<OAuthSignInRow, "stateHash">,
  grant: Omit<OAuthGrantRow, "revision">,
  audit?: Audit<Omit<OAuthGrantRow, "revision">>,
): UnitOfWork<boolean> {
  const row = yield* first(sql<{ source_id: string }>`
    DELETE FROM oauth_sign_ins WHERE state_hash = ${stateHash} AND source_id = ${grant.sourceId} RETURNING source_id`);
  if (row === undefined) return false;
  yield* putOAuthGrant(grant);
  yield* recordChange(audit, null, grant);
  return true;
}

function* abandon(stateHash: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM oauth_sign_ins WHERE state_hash = ${stateHash}`);
}

export function createOAuthSignInStore(units: UnitRunner): OAuthSignInStore {
  return {
    start: (signIn, now) => units.write(() => start(signIn, now)),
    use: (stateHash, now) => units.write(() => use(stateHash, now)),
    hold: (signIn) => units.write(() => hold(signIn)),
    attempt: (source, limits) => units.write(() => attempt(source, limits)),
    finish: (...finished) => units.write(() => finish(...finished)),
    abandon: (stateHash) => units.write(() => abandon(stateHash)),
  };
}

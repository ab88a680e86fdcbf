import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** A stored signing secret, which only the keyring can decrypt. */
export interface SealedSigningSecret {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** The encrypted secret as a compact JWE. */
  readonly sealed: string;
  readonly createdAt: EpochMs;
  /** When the secret stops signing; null for the current secret. */
  readonly expiresAt: EpochMs | null;
  /** Whether the API has ever returned the secret. */
  readonly isSeen: boolean;
}

export interface SigningSecretStore {
  /** Records that the API has returned this secret. From now on, a rotation can let it overlap with its successor. */
  markSeen(workspaceId: string, secretId: string): Promise<void>;
  /** Lists the secrets of all names that have not expired at `now`, newest first. */
  list(workspaceId: string, now: EpochMs): Promise<readonly SealedSigningSecret[]>;
  /**
   * Makes `next` the current secret of its name. The previous secret expires at `previousExpiresAt`, or immediately if
   * the API has never returned it. If `previousExpiresAt` is not after `now`, all older secrets of the name expire and
   * only `next` signs.
   * @returns when the previous secret stops signing; null if the API has never returned a previous secret.
   * @throws YagateError `CONFLICT` if the name would have more than `maxLive` secrets that have not expired.
   */
  rotate(rotation: {
    readonly next: SealedSigningSecret;
    readonly previousExpiresAt: EpochMs;
    readonly now: EpochMs;
    readonly maxLive: number;
    readonly audit?: Audit<SealedSigningSecret> | undefined;
  }): Promise<EpochMs | null>;
}

interface SecretRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly sealed: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly is_seen: number;
}

type Rotation = Parameters<SigningSecretStore["rotate"]>[0];

function toRow(record: SecretRecord): SealedSigningSecret {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    sealed: record.sealed,
    createdAt: record.created_at,
    expiresAt: record.expires_at,
    isSeen: record.is_seen === 1,
  };
}

/** Adds a signing secret, for example the first one of a new workspace. */
export function* insertSigningSecret(secret: SealedSigningSecret): UnitOfWork<void> {
  const { id, workspaceId, name, sealed, createdAt, expiresAt, isSeen } = secret;
  yield* first(sql`
    INSERT INTO signing_secrets (id, workspace_id, name, sealed, created_at, expires_at, is_seen)
    VALUES (${id}, ${workspaceId}, ${name}, ${sealed}, ${createdAt}, ${expiresAt}, ${isSeen ? 1 : 0})`);
}

function* list(workspaceId: string, now: EpochMs): UnitOfWork<readonly SealedSigningSecret[]> {
  // The current secret of a name comes first, even if the clock was set back.
  const records = yield* all(sql<SecretRecord>`
    SELECT id, workspace_id, name, sealed, created_at, expires_at, is_seen FROM signing_secrets
    WHERE workspace_id = ${workspaceId} AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY CASE WHEN expires_at IS NULL THEN 0 ELSE 1 END, created_at DESC, id DESC`);
  return records.map(toRow);
}

function* rotate({ next, previousExpiresAt, now, maxLive, audit }: Rotation): UnitOfWork<EpochMs | null> {
  const { workspaceId, name } = next;
  const live = (yield* list(workspaceId, now)).filter((secret) => secret.name === name);
  const previous = live.find((secret) => secret.expiresAt === null);
  const previousEnd = previous?.isSeen === false ? now : previousExpiresAt;
  if (previousEnd <= now) {
    // After a rotation without overlap, only one secret signs, and rows of expired secrets are not needed.
    yield* first(sql`DELETE FROM signing_secrets WHERE workspace_id = ${workspaceId} AND name = ${name}`);
  } else {
    if (live.length + 1 > maxLive) {
      throw new YagateError(
        "CONFLICT",
        `expected at most ${maxLive} live signing secrets with one name: wait until one expires, or rotate without overlap`,
      );
    }
    yield* first(sql`
      DELETE FROM signing_secrets WHERE workspace_id = ${workspaceId} AND name = ${name} AND expires_at <= ${now}`);
    yield* first(sql`
      UPDATE signing_secrets SET expires_at = ${previousEnd}
      WHERE workspace_id = ${workspaceId} AND name = ${name} AND expires_at IS NULL`);
  }
  yield* insertSigningSecret(next);
  // The state before the change includes the time when the previous secret stops signing, so that the entry shows the
  // overlap.
  yield* recordChange(audit, previous === undefined ? null : { ...previous, expiresAt: previousEnd }, next);
  return previous?.isSeen ? previousEnd : null;
}

function* markSeen(workspaceId: string, secretId: string): UnitOfWork<void> {
  yield* first(sql`
    UPDATE signing_secrets SET is_seen = 1 WHERE workspace_id = ${workspaceId} AND id = ${secretId}`);
}

export function createSigningSecretStore(units: UnitRunner): SigningSecretStore {
  return {
    list: (workspaceId, now) => units.read(() => list(workspaceId, now)),
    markSeen: (workspaceId, secretId) => units.write(() => markSeen(workspaceId, secretId)),
    rotate: (rotation) => units.write(() => rotate(rotation)),
  };
}

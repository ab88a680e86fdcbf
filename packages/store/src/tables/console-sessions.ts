import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** A browser that is signed in to the console. */
export interface ConsoleSessionRow {
  /** SHA-256 of the session's token, in hex. */
  readonly tokenHash: string;
  readonly workspaceId: string;
  /** The API key with which the browser signed in; null for the key of the configuration. */
  readonly keyId: string | null;
  /** Tells whether the text of the key with which the browser signed in is still valid. */
  readonly keyProof: string;
  readonly createdAt: EpochMs;
  /** When the session was last used, to within a minute. */
  readonly usedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

/** Sessions of the console, and the links that open one. */
export interface ConsoleSessionStore {
  /**
   * Starts a session.
   * @param replaced - the hash of the session that the browser had, which ends in the same commit.
   */
  start(session: ConsoleSessionRow, replaced?: string): Promise<void>;
  find(tokenHash: string): Promise<ConsoleSessionRow | undefined>;
  markUsed(tokenHash: string, at: EpochMs): Promise<void>;
  end(tokenHash: string): Promise<void>;
  addLink(secretHash: string, expiresAt: EpochMs): Promise<void>;
  /** Uses a link, at most once. @returns whether it existed, was unused and had not expired. */
  useLink(secretHash: string, now: EpochMs): Promise<boolean>;
}

interface SessionRecord {
  readonly token_hash: string;
  readonly workspace_id: string;
  readonly key_id: string | null;
  readonly key_proof: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly expires_at: number;
}

function toRow(record: SessionRecord): ConsoleSessionRow {
  const { token_hash, workspace_id, key_id, key_proof, created_at, used_at, expires_at } = record;
  return {
    ...{ tokenHash: token_hash, workspaceId: workspace_id, keyId: key_id, keyProof: key_proof },
    ...{ createdAt: Number(created_at), usedAt: Number(used_at), expiresAt: Number(expires_at) },
  };
}

function* start(session: ConsoleSessionRow, replaced: string | undefined): UnitOfWork<void> {
  const { tokenHash, workspaceId, keyId, keyProof, createdAt, usedAt, expiresAt } = session;
  if (replaced !== undefined) yield* end(replaced);
  yield* first(sql`
    INSERT INTO console_sessions (token_hash, workspace_id, key_id, key_proof, created_at, used_at, expires_at)
    VALUES (${tokenHash}, ${workspaceId}, ${keyId}, ${keyProof}, ${createdAt}, ${usedAt}, ${expiresAt})`);
}

function* find(tokenHash: string): UnitOfWork<ConsoleSessionRow | undefined> {
  const record = yield* first(sql<SessionRecord>`
    SELECT token_hash, workspace_id, key_id, key_proof, created_at, used_at, expires_at
    FROM console_sessions WHERE token_hash = ${tokenHash}`);
  return record === undefined ? undefined : toRow(record);
}

function* markUsed(tokenHash: string, at: EpochMs): UnitOfWork<void> {
  yield* first(sql`
    UPDATE console_sessions SET used_at = ${at} WHERE token_hash = ${tokenHash} AND used_at < ${at}`);
}

function* end(tokenHash: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM console_sessions WHERE token_hash = ${tokenHash}`);
}

function* addLink(secretHash: string, expiresAt: EpochMs): UnitOfWork<void> {
  yield* first(sql`INSERT INTO console_links (secret_hash, expires_at) VALUES (${secretHash}, ${expiresAt})`);
}

function* useLink(secretHash: string, now: EpochMs): UnitOfWork<boolean> {
  const record = yield* first(sql<{ expires_at: number }>`
    DELETE FROM console_links WHERE secret_hash = ${secretHash} RETURNING expires_at`);
  return record !== undefined && Number(record.expires_at) > now;
}

export function createConsoleSessionStore(units: UnitRunner): ConsoleSessionStore {
  return {
    start: (session, replaced) => units.write(() => start(session, replaced)),
    find: (tokenHash) => units.read(() => find(tokenHash)),
    markUsed: (tokenHash, at) => units.write(() => markUsed(tokenHash, at)),
    end: (tokenHash) => units.write(() => end(tokenHash)),
    addLink: (secretHash, expiresAt) => units.write(() => addLink(secretHash, expiresAt)),
    useLink: (secretHash, now) => units.write(() => useLink(secretHash, now)),
  };
}

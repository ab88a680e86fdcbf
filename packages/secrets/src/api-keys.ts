import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { NewId } from "@yagate/lib/ids/ids";
import {
  ALL_SCOPES,
  type ApiKey,
  type CreatedApiKey,
  type KeyRouting,
  type Page,
  type PageQuery,
  type Scope,
  YagateError,
} from "@yagate/protocol";
import type { ApiKeyChange, ApiKeyRow, ApiKeyStore, AuditSubject, ChangeRecorder, EpochMs } from "@yagate/store/port";
import type { Principal } from "./principal.ts";
import { PrincipalCache } from "./principal-cache.ts";

export type { Principal } from "./principal.ts";

const PREFIX = "yk_";
const KEY_BYTES = 32;

/** The API keys of all workspaces. */
export interface ApiKeys {
  /** Creates an API key. Only this result contains its text, which is not stored. */
  create(key: {
    readonly workspaceId: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    /** When the key expires, in ms since the epoch; null or absent if it does not expire. */
    readonly expiresAt?: EpochMs | null;
    readonly routing?: KeyRouting | null;
    readonly recorder?: ChangeRecorder;
  }): Promise<CreatedApiKey>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKey>>;
  /**
   * Changes a key. Omitted fields stay unchanged.
   * @throws YagateError `NOT_FOUND`.
   */
  update(workspaceId: string, keyId: string, change: ApiKeyChange, recorder?: ChangeRecorder): Promise<ApiKey>;
  /**
   * Replaces the text of a key. Only this result contains the new text, which is not stored. The previous text stays
   * valid for the overlap (0 to 604,800 s); texts before the previous one become invalid immediately.
   * @throws YagateError `NOT_FOUND`.
   */
  rotate(workspaceId: string, keyId: string, overlapSeconds: number, recorder?: ChangeRecorder): Promise<CreatedApiKey>;
  /**
   * Deletes a key, which becomes invalid immediately.
   * @throws YagateError `NOT_FOUND`.
   */
  delete(workspaceId: string, keyId: string, recorder?: ChangeRecorder): Promise<void>;
  /** Calls the listener with each key that this process deletes, after the key has become invalid. */
  onDeleted(listener: (keyId: string) => void): void;
  /**
   * Returns the principal of a key.
   * @param token - the text after `Bearer `.
   * @returns undefined if the key is unknown, deleted or expired.
   */
  authenticate(token: string): Promise<Principal | undefined>;
  /**
   * Returns the current rights of a key; undefined if it is deleted, expired, or belongs to another workspace.
   *
   * @param keyId - null for the bootstrap key.
   */
  principalOf(workspaceId: string, keyId: string | null): Promise<Principal | undefined>;
  /**
   * Returns what a session stores, so that it ends with the text of the key that started it: when the key is rotated,
   * too. For the bootstrap key, which is never stored, not even as a hash, it depends on the session's token.
   *
   * @param token - the token of the session, which is not stored.
   * @param key - the text of the key. Default: the bootstrap key.
   */
  proofOf(token: string, key?: string): string;
  /** Returns the current rights of a key; undefined if the text that gave the proof is no longer valid. */
  principalOfProof(
    session: { readonly workspaceId: string; readonly keyId: string | null; readonly keyProof: string },
    token: string,
  ): Promise<Principal | undefined>;
}

export interface ApiKeysOptions {
  readonly store: ApiKeyStore;
  /** The workspace to which the bootstrap key belongs. */
  readonly defaultWorkspaceId: string;
  /** A key with all scopes, which is never stored. Default: no bootstrap key. */
  readonly bootstrapKey?: string;
  readonly now: () => EpochMs;
  readonly newId: NewId;
  /** How long the rights of a key are cached, in ms. Default 5,000. */
  readonly maxAgeMs?: number;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

const toTimestamp = (at: EpochMs) => new Date(at).toISOString();
const toTimestampOrNull = (at: EpochMs | null) => (at === null ? null : toTimestamp(at));

function toApiKey(row: ApiKeyRow, now: EpochMs): ApiKey {
  const { id, name, workspaceId, scopes, createdAt, previous } = row;
  return {
    ...{ id, name, workspaceId, scopes: [...scopes], createdAt: toTimestamp(createdAt) },
    expiresAt: toTimestampOrNull(row.expiresAt),
    lastUsedAt: toTimestampOrNull(row.lastUsedAt),
    rotatedAt: toTimestampOrNull(row.rotatedAt),
    previousExpiresAt: previous === null || previous.until <= now ? null : toTimestamp(previous.until),
    routing: row.routing === null ? null : { ...row.routing },
  };
}

const SUBJECT: AuditSubject<ApiKeyRow> = {
  type: "api_key",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show(row) {
    // The use of a key is not a change. The expiry of the previous text is shown as it was at the time of the rotation.
    const { lastUsedAt: _lastUsedAt, ...shown } = toApiKey(row, row.rotatedAt ?? row.createdAt);
    return shown;
  },
};

/**
 * Every rotation gets an audit log entry, even if no recorded field differs: the text of a key is not recorded, and two
 * rotations may have the same timestamp.
 */
const ROTATION_SUBJECT: AuditSubject<ApiKeyRow> = { ...SUBJECT, isAlwaysChanged: true };

/**
 * Returns the principal of a stored key.
 * @param hash - the hash of the presented text; absent if the key was looked up by its id.
 */
function toPrincipal(row: ApiKeyRow | undefined, hash?: string): Principal | undefined {
  if (row === undefined) return undefined;
  const isPrevious = hash !== undefined && hash !== row.hash;
  const ends = [row.expiresAt, isPrevious ? (row.previous?.until ?? 0) : null].filter((at) => at !== null);
  return {
    ...{ workspaceId: row.workspaceId, keyId: row.id, keyName: row.name, scopes: new Set(row.scopes) },
    ...(row.routing === null ? {} : { routing: row.routing }),
    ...(ends.length === 0 ? {} : { expiresAt: Math.min(...ends) }),
  };
}

function digestOfBootstrapKey(key: string | undefined): Buffer | undefined {
  if (key === undefined) return undefined;
  if (key.trim() === "")
    throw new YagateError("NOT_CONFIGURED", "expected a bootstrap API key that is not empty: set one or omit it");
  return digestOf(key);
}

const newText = () => PREFIX + randomBytes(KEY_BYTES).toString("base64url");

/** Precision of `lastUsedAt` in ms. */
const USE_GRANULARITY_MS = 60_000;

/** Creates the function that records the use of a key, at most once a minute. Requests do not wait for it. */
function createUseNotes(store: Pick<ApiKeyStore, "markUsed">, now: () => EpochMs): (row: ApiKeyRow) => void {
  const writing = new Set<string>();
  return ({ id, lastUsedAt }) => {
    const at = now();
    if (writing.has(id) || (lastUsedAt !== null && at - lastUsedAt < USE_GRANULARITY_MS)) return;
    writing.add(id);
    // A failure of the store is reported elsewhere. The next use is recorded again.
    const written = store.markUsed(id, at).catch(() => undefined);
    written.finally(() => writing.delete(id));
  };
}

/**
 * Creates the API keys.
 * @throws YagateError `NOT_CONFIGURED` if the bootstrap key is empty.
 */
export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const { store, defaultWorkspaceId, bootstrapKey, now, newId, maxAgeMs } = options;
  const bootstrapDigest = digestOfBootstrapKey(bootstrapKey);
  const bootstrapPrincipal: Principal = {
    workspaceId: defaultWorkspaceId,
    keyId: null,
    scopes: new Set(ALL_SCOPES),
  };
  const listeners: ((keyId: string) => void)[] = [];
  const noteUse = createUseNotes(store, now);
  const findByHash = async (hash: string) => {
    const row = await store.findByHash(hash);
    const principal = toPrincipal(row, hash);
    if (row !== undefined && (principal?.expiresAt ?? Number.POSITIVE_INFINITY) > now()) noteUse(row);
    return principal;
  };
  const cache = new PrincipalCache(now, findByHash, maxAgeMs);
  const findOwner = async (owner: string) => {
    const [workspaceId = "", keyId = ""] = owner.split("/");
    return toPrincipal(await store.find(workspaceId, keyId));
  };
  const owners = new PrincipalCache(now, findOwner, maxAgeMs);
  const isBootstrapKey = (digest: Buffer) => bootstrapDigest !== undefined && timingSafeEqual(digest, bootstrapDigest);

  function bootstrapProof(token: string): string {
    return createHmac("sha256", token)
      .update(bootstrapDigest ?? "")
      .digest("hex");
  }

  function forget(keyId: string): void {
    cache.forget(keyId);
    owners.forget(keyId);
  }

  return {
    async create({ workspaceId, name, scopes, expiresAt = null, routing = null, recorder }) {
      const key = newText();
      const row: ApiKeyRow = {
        id: newId("apiKey"),
        workspaceId,
        name,
        hash: digestOf(key).toString("hex"),
        scopes: [...new Set(scopes)],
        createdAt: now(),
        ...{ expiresAt, lastUsedAt: null, rotatedAt: null, previous: null, routing },
      };
      await store.create(row, recorder?.of(workspaceId, "api_key.created", SUBJECT));
      return { ...toApiKey(row, now()), key };
    },
    async update(workspaceId, keyId, change, recorder) {
      const row = await store.update(workspaceId, keyId, change, recorder?.of(workspaceId, "api_key.updated", SUBJECT));
      forget(keyId);
      return toApiKey(row, now());
    },
    async rotate(workspaceId, keyId, overlapSeconds, recorder) {
      const key = newText();
      const at = now();
      const rotation = { hash: digestOf(key).toString("hex"), at, previousUntil: at + overlapSeconds * 1_000 };
      const audit = recorder?.of(workspaceId, "api_key.rotated", ROTATION_SUBJECT);
      const row = await store.rotate({ workspaceId, keyId, ...rotation }, audit);
      forget(keyId);
      return { ...toApiKey(row, at), key };
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map((row) => toApiKey(row, now())), nextCursor };
    },
    async delete(workspaceId, keyId, recorder) {
      await store.delete(workspaceId, keyId, recorder?.of(workspaceId, "api_key.deleted", SUBJECT));
      forget(keyId);
      for (const listener of listeners) listener(keyId);
    },
    onDeleted(listener) {
      listeners.push(listener);
    },
    async authenticate(token) {
      const digest = digestOf(token);
      // Digests have the same length, so the time of the comparison reveals nothing about the key.
      if (isBootstrapKey(digest)) return bootstrapPrincipal;
      return cache.find(digest.toString("hex"));
    },
    async principalOf(workspaceId, keyId) {
      if (keyId !== null) return owners.find(`${workspaceId}/${keyId}`);
      return bootstrapDigest !== undefined && workspaceId === defaultWorkspaceId ? bootstrapPrincipal : undefined;
    },
    proofOf(token, key) {
      const digest = key === undefined ? bootstrapDigest : digestOf(key);
      if (digest === undefined || isBootstrapKey(digest)) return bootstrapProof(token);
      return digest.toString("hex");
    },
    async principalOfProof({ workspaceId, keyId, keyProof }, token) {
      if (keyId === null) {
        const isCurrent = bootstrapDigest !== undefined && keyProof === bootstrapProof(token);
        return isCurrent && workspaceId === defaultWorkspaceId ? bootstrapPrincipal : undefined;
      }
      const principal = await cache.find(keyProof);
      return principal?.keyId === keyId && principal.workspaceId === workspaceId ? principal : undefined;
    },
  };
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  ALL_SCOPES,
  type ApiKey,
  type CreatedApiKey,
  type Page,
  type PageQuery,
  type Scope,
  YagateError,
} from "@yagate/protocol";
import type { NewId } from "../ids.ts";
import type { ApiKeyRow, ApiKeyStore } from "../journal/api-key-rows.ts";
import type { AuditSubject, ChangeRecorder } from "../journal/audit-rows.ts";
import type { EpochMs } from "../journal/port.ts";
import type { Principal } from "./principal.ts";
import { PrincipalCache } from "./principal-cache.ts";

export type { Principal } from "./principal.ts";

const PREFIX = "yk_";
const KEY_BYTES = 32;

/** The API keys of all workspaces. */
export interface ApiKeys {
  /** Makes a key of a workspace. Its text is in this answer and nowhere else. */
  create(key: {
    readonly workspaceId: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly recorder?: ChangeRecorder;
  }): Promise<CreatedApiKey>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKey>>;
  /** From now on the key opens nothing. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, keyId: string, recorder?: ChangeRecorder): Promise<void>;
  /** Calls the listener with each key that this process deletes, as soon as it opens nothing any more. */
  onDeleted(listener: (keyId: string) => void): void;
  /**
   * @param token - what followed `Bearer `.
   * @returns undefined for a key that is unknown or deleted.
   */
  authenticate(token: string): Promise<Principal | undefined>;
  /**
   * What a key may do at this moment; undefined for one that is deleted, or of another workspace.
   *
   * @param keyId - null for the bootstrap key.
   */
  principalOf(workspaceId: string, keyId: string | null): Promise<Principal | undefined>;
}

export interface ApiKeysOptions {
  readonly store: ApiKeyStore;
  /** The workspace that the bootstrap key belongs to. */
  readonly defaultWorkspaceId: string;
  /** A key with all scopes, compared at each request and never stored; none when absent. */
  readonly bootstrapKey?: string;
  readonly now: () => EpochMs;
  readonly newId: NewId;
  /** How long a key that was found is believed without asking again, in ms. Default 5 000. */
  readonly maxAgeMs?: number;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function toApiKey({ id, name, workspaceId, scopes, createdAt }: ApiKeyRow): ApiKey {
  return { id, name, workspaceId, scopes: [...scopes], createdAt: new Date(createdAt).toISOString() };
}

const SUBJECT: AuditSubject<ApiKeyRow> = {
  type: "api_key",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: toApiKey,
};

function toPrincipal(row: ApiKeyRow | undefined): Principal | undefined {
  return row && { workspaceId: row.workspaceId, keyId: row.id, keyName: row.name, scopes: new Set(row.scopes) };
}

function digestOfBootstrapKey(key: string | undefined): Buffer | undefined {
  if (key === undefined) return undefined;
  if (key.trim() === "") throw new YagateError("NOT_CONFIGURED", "expected the bootstrap API key not to be empty");
  return digestOf(key);
}

/** @throws YagateError `NOT_CONFIGURED` for an empty bootstrap key: it must be left out instead. */
export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const { store, defaultWorkspaceId, bootstrapKey, now, newId, maxAgeMs } = options;
  const bootstrapDigest = digestOfBootstrapKey(bootstrapKey);
  const bootstrapPrincipal: Principal = {
    workspaceId: defaultWorkspaceId,
    keyId: null,
    scopes: new Set(ALL_SCOPES),
  };
  const listeners: ((keyId: string) => void)[] = [];
  const cache = new PrincipalCache(now, async (hash) => toPrincipal(await store.findByHash(hash)), maxAgeMs);
  const findOwner = async (owner: string) => {
    const [workspaceId = "", keyId = ""] = owner.split("/");
    return toPrincipal(await store.find(workspaceId, keyId));
  };
  const owners = new PrincipalCache(now, findOwner, maxAgeMs);

  return {
    async create({ workspaceId, name, scopes, recorder }) {
      const key = PREFIX + randomBytes(KEY_BYTES).toString("base64url");
      const row = {
        id: newId("apiKey"),
        workspaceId,
        name,
        hash: digestOf(key).toString("hex"),
        scopes: [...new Set(scopes)],
        createdAt: now(),
      };
      await store.create(row, recorder?.of(workspaceId, "api_key.created", SUBJECT));
      return { ...toApiKey(row), key };
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toApiKey), nextCursor };
    },
    async delete(workspaceId, keyId, recorder) {
      await store.delete(workspaceId, keyId, recorder?.of(workspaceId, "api_key.deleted", SUBJECT));
      cache.forget(keyId);
      owners.forget(keyId);
      for (const listener of listeners) listener(keyId);
    },
    onDeleted(listener) {
      listeners.push(listener);
    },
    async authenticate(token) {
      const digest = digestOf(token);
      // Digests are of one length, so the time taken says nothing about the key.
      if (bootstrapDigest !== undefined && timingSafeEqual(digest, bootstrapDigest)) return bootstrapPrincipal;
      return cache.find(digest.toString("hex"));
    },
    async principalOf(workspaceId, keyId) {
      if (keyId !== null) return owners.find(`${workspaceId}/${keyId}`);
      return bootstrapDigest !== undefined && workspaceId === defaultWorkspaceId ? bootstrapPrincipal : undefined;
    },
  };
}

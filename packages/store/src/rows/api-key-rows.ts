import type { KeyRouting, Page, PageQuery, Scope } from "@yagate/protocol";
import type { Audit } from "./audit-rows.ts";

/** ms since the epoch. */
type EpochMs = number;

/** An API key as it is stored. */
export interface ApiKeyRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** SHA-256 of the key's text, hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochMs;
  /** From this moment on it lets nobody in; null: never. */
  readonly expiresAt: EpochMs | null;
  readonly lastUsedAt: EpochMs | null;
  readonly rotatedAt: EpochMs | null;
  /** The text before the last rotation, which lets in for a while; null where there is none. */
  readonly previous: { readonly hash: string; readonly until: EpochMs } | null;
  readonly routing: KeyRouting | null;
}

/** What of a key is changed; what is left out stays as it is. */
export type ApiKeyChange = Partial<Pick<ApiKeyRow, "name" | "expiresAt" | "routing">>;

export interface ApiKeyStore {
  create(key: ApiKeyRow, audit?: Audit<ApiKeyRow>): Promise<void>;
  find(workspaceId: string, keyId: string): Promise<ApiKeyRow | undefined>;
  /** The key whose text has this hash, or had it before its last rotation. */
  findByHash(hash: string): Promise<ApiKeyRow | undefined>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKeyRow>>;
  /** @throws YagateError `NOT_FOUND`. */
  update(workspaceId: string, keyId: string, change: ApiKeyChange, audit?: Audit<ApiKeyRow>): Promise<ApiKeyRow>;
  /**
   * Gives a key another text. The one that it had lets in until `previousUntil`; one before that, no more.
   * @throws YagateError `NOT_FOUND`.
   */
  rotate(
    rotation: {
      readonly workspaceId: string;
      readonly keyId: string;
      readonly hash: string;
      readonly at: EpochMs;
      readonly previousUntil: EpochMs;
    },
    audit?: Audit<ApiKeyRow>,
  ): Promise<ApiKeyRow>;
  /** Says when it was used, unless it says a later moment already. */
  markUsed(keyId: string, at: EpochMs): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, keyId: string, audit?: Audit<ApiKeyRow>): Promise<void>;
}

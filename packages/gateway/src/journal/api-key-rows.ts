import type { Page, PageQuery, Scope } from "@yagate/protocol";
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
}

export interface ApiKeyStore {
  create(key: ApiKeyRow, audit?: Audit<ApiKeyRow>): Promise<void>;
  find(workspaceId: string, keyId: string): Promise<ApiKeyRow | undefined>;
  findByHash(hash: string): Promise<ApiKeyRow | undefined>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKeyRow>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, keyId: string, audit?: Audit<ApiKeyRow>): Promise<void>;
}

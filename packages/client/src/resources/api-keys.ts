import {
  type ApiKey,
  apiKeyIdSchema,
  apiKeySchema,
  type CreatedApiKey,
  createdApiKeySchema,
  type KeyRouting,
  pageSchema,
  type Scope,
  type UpdateApiKey,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const apiKeyPageSchema = pageSchema(apiKeySchema);

/** A new API key. */
export interface ApiKeyDefinition {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Default: the workspace of the key that asks. */
  readonly workspaceId?: string | undefined;
  /** From this moment on it is refused (RFC 3339); default: never. */
  readonly expiresAt?: string | null | undefined;
  /** Stored with the key; the gateway does not enforce it yet. */
  readonly routing?: KeyRouting | null | undefined;
}

/** Whose keys are listed. */
export interface ApiKeyListQuery extends ListQuery {
  /** Default: the workspace of the key that asks. */
  readonly workspaceId?: string | undefined;
}

/** API keys; needs the scope `admin`. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Without the keys' text, which is never shown again. */
  list(query: ApiKeyListQuery = {}): PagedList<ApiKey> {
    const { workspaceId, ...page } = query;
    const source = { transport: this.#transport, path: "/v1/api-keys", schema: apiKeyPageSchema };
    return toPagedList({ ...source, filter: { workspaceId } }, page);
  }

  /** Makes a key. The answer is the only one that shows it. */
  async create(body: ApiKeyDefinition, { signal }: CallOptions = {}): Promise<CreatedApiKey> {
    const path = "/v1/api-keys";
    const request = { method: "POST", path, body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, createdApiKeySchema);
  }

  /** Changes its name, expiry or routing bounds; what is left out stays as it is. @throws ApiError `NOT_FOUND`. */
  async update(apiKeyId: string, change: UpdateApiKey, { signal }: CallOptions = {}): Promise<ApiKey> {
    const path = `/v1/api-keys/${requireId(apiKeyIdSchema, apiKeyId)}`;
    const request = { method: "PATCH", path, body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, apiKeySchema);
  }

  /**
   * Gives a key another text, which only this answer shows. The previous one lets in for the overlap.
   *
   * @param rotation.overlapSeconds - 0 to 604 800; default 24 hours.
   * @throws ApiError `NOT_FOUND`.
   */
  async rotate(
    apiKeyId: string,
    rotation: { readonly overlapSeconds?: number | undefined } = {},
    { signal }: CallOptions = {},
  ): Promise<CreatedApiKey> {
    const path = `/v1/api-keys/${requireId(apiKeyIdSchema, apiKeyId)}/rotate`;
    const request = { method: "POST", path, body: rotation, signal, repeat: "refused" } as const;
    return this.#transport.json(request, createdApiKeySchema);
  }

  async delete(apiKeyId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `/v1/api-keys/${requireId(apiKeyIdSchema, apiKeyId)}`;
    await this.#transport.empty({ method: "DELETE", path, signal });
  }
}

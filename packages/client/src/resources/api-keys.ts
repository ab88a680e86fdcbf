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
  /** Default: the workspace of the client's key. */
  readonly workspaceId?: string | undefined;
  /** When the key expires (RFC 3339). Default: never. */
  readonly expiresAt?: string | null | undefined;
  /** Bounds for the routing of executions that the key starts. Default: no scopes, and no other bounds. */
  readonly routing?: KeyRouting | null | undefined;
}

/** Which API keys to list. */
export interface ApiKeyListQuery extends ListQuery {
  /** Default: the workspace of the client's key. */
  readonly workspaceId?: string | undefined;
}

/** API keys. The client's key needs the scope `admin`. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists keys, without their secret values. */
  list(query: ApiKeyListQuery = {}): PagedList<ApiKey> {
    const { workspaceId, ...page } = query;
    const source = { transport: this.#transport, path: "/v1/api-keys", schema: apiKeyPageSchema };
    return toPagedList({ ...source, filter: { workspaceId } }, page);
  }

  /** Creates a key. Only this result contains the key's secret value. */
  async create(body: ApiKeyDefinition, { signal }: CallOptions = {}): Promise<CreatedApiKey> {
    const path = "/v1/api-keys";
    const request = { method: "POST", path, body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, createdApiKeySchema);
  }

  /**
   * Changes the name, the expiry or the routing of a key. Omitted fields keep their values.
   *
   * @throws ApiError `NOT_FOUND`.
   */
  async update(apiKeyId: string, change: UpdateApiKey, { signal }: CallOptions = {}): Promise<ApiKey> {
    const path = `/v1/api-keys/${requireId(apiKeyIdSchema, apiKeyId)}`;
    const request = { method: "PATCH", path, body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, apiKeySchema);
  }

  /**
   * Replaces the secret value of a key. Only this result contains the new value. The previous value stays valid during
   * the overlap.
   *
   * @param rotation.overlapSeconds - 0 to 604,800; default 86,400 (24 hours).
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

  /** Deletes a key. From then on, the gateway rejects requests with it. */
  async delete(apiKeyId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `/v1/api-keys/${requireId(apiKeyIdSchema, apiKeyId)}`;
    await this.#transport.empty({ method: "DELETE", path, signal });
  }
}

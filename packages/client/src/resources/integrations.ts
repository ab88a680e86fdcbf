import {
  type CreateIntegration,
  type Integration,
  integrationNameSchema,
  integrationSchema,
  pageSchema,
  type UpdateIntegration,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const integrationPageSchema = pageSchema(integrationSchema);

/** Named lists of hosts that agents enable. The key needs the scope `tools`. */
export class Integrations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists integrations, ordered by name. */
  list(query: ListQuery = {}): PagedList<Integration> {
    return toPagedList({ transport: this.#transport, path: "/v1/integrations", schema: integrationPageSchema }, query);
  }

  /**
   * Creates an integration.
   *
   * @throws ApiError `CONFLICT` if the name is taken; `INVALID_REQUEST` if the integration is invalid.
   */
  async create(integration: CreateIntegration, { signal }: CallOptions = {}): Promise<Integration> {
    const request = { method: "POST", path: "/v1/integrations", body: integration, signal, repeat: "refused" } as const;
    return this.#transport.json(request, integrationSchema);
  }

  /**
   * Gets an integration.
   *
   * @throws ApiError `NOT_FOUND`.
   */
  async get(name: string, { signal }: CallOptions = {}): Promise<Integration> {
    return this.#transport.json({ method: "GET", path: pathOf(name), signal }, integrationSchema);
  }

  /**
   * Changes an integration. Omitted fields keep their values; `null` removes `description` or `limits`.
   *
   * @param change - if `version` is set and is not the current version, the gateway rejects the change.
   * @throws ApiError `CONFLICT` if `version` is not the current version; `NOT_FOUND`; `INVALID_REQUEST` if the change
   *   is invalid.
   */
  async update(name: string, change: UpdateIntegration, { signal }: CallOptions = {}): Promise<Integration> {
    const request = { method: "PATCH", path: pathOf(name), body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, integrationSchema);
  }

  /** Deletes an integration. Agents that enabled it can no longer reach its hosts through it. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `/v1/integrations/${requireId(integrationNameSchema, name)}`;
}

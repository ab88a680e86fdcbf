import { type Provider, type PutProvider, pageSchema, providerSchema, resourceNameSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const providerPageSchema = pageSchema(providerSchema);

/** The model providers that the workspace has configured. */
export class Providers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the workspace's providers, ordered by name. The gateway's own providers are not included. */
  list(query: ListQuery = {}): PagedList<Provider> {
    return toPagedList({ transport: this.#transport, path: "/v1/providers", schema: providerPageSchema }, query);
  }

  /** Gets one of the workspace's providers. */
  async get(name: string, { signal }: CallOptions = {}): Promise<Provider> {
    return this.#transport.json({ method: "GET", path: pathOf(name), signal }, providerSchema);
  }

  /**
   * Sets a model provider for this workspace. It replaces the gateway's provider of the same name within the workspace.
   *
   * @param name - a known provider such as `openai`, or any name for an OpenAI-compatible server.
   * @param provider - `apiKey` is `workspace-secret://NAME`, never a key itself. `baseUrl` is required for a name that
   *   the gateway does not know.
   */
  async set(name: string, provider: PutProvider, { signal }: CallOptions = {}): Promise<Provider> {
    const request = { method: "PUT", path: pathOf(name), body: provider, signal } as const;
    return this.#transport.json(request, providerSchema);
  }

  /**
   * Deletes a provider of the workspace. If the gateway has a provider of the same name, that provider applies again.
   */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `/v1/providers/${requireId(resourceNameSchema, name)}`;
}

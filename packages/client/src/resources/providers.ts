import { type Provider, type PutProvider, pageSchema, providerSchema, resourceNameSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const providerPageSchema = pageSchema(providerSchema);

/** The model providers that the workspace configured for itself. */
export class Providers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** In the order of names; without the gateway's own. */
  list(query: ListQuery = {}): PagedList<Provider> {
    return toPagedList({ transport: this.#transport, path: "/v1/providers", schema: providerPageSchema }, query);
  }

  async get(name: string, { signal }: CallOptions = {}): Promise<Provider> {
    return this.#transport.json({ method: "GET", path: pathOf(name), signal }, providerSchema);
  }

  /**
   * Sets a provider; it replaces the gateway's own of that name for this workspace.
   *
   * @param name - a known provider such as `openai`, or any name for an OpenAI-compatible server.
   * @param provider - `apiKey`: `workspace-secret://NAME`, never a key itself. `baseUrl`: needed for a name that the
   * gateway doesn't know.
   */
  async set(name: string, provider: PutProvider, { signal }: CallOptions = {}): Promise<Provider> {
    const request = { method: "PUT", path: pathOf(name), body: provider, signal } as const;
    return this.#transport.json(request, providerSchema);
  }

  /** Deletes a provider; the gateway's own of that name, if there is one, serves it again. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `/v1/providers/${requireId(resourceNameSchema, name)}`;
}

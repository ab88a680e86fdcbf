import {
  type Capability,
  type CreateCapability,
  capabilityKeySchema,
  capabilitySchema,
  pageSchema,
  type UpdateCapability,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const PATH = "/v1/capabilities";
const capabilityPageSchema = pageSchema(capabilitySchema);

/** What can serve an intent: the gateway's table, and the entries of the workspace. The key needs the scope `tools`. */
export class Capabilities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists capabilities, ordered by key. */
  list(query: ListQuery = {}): PagedList<Capability> {
    return toPagedList({ transport: this.#transport, path: PATH, schema: capabilityPageSchema }, query);
  }

  /**
   * Creates a capability, or overrides an entry of the gateway's table that has the same key.
   *
   * @throws ApiError `CONFLICT` if the workspace has the key already; `INVALID_REQUEST` if the capability is invalid.
   */
  async create(capability: CreateCapability, { signal }: CallOptions = {}): Promise<Capability> {
    const request = { method: "POST", path: PATH, body: capability, signal, repeat: "refused" } as const;
    return this.#transport.json(request, capabilitySchema);
  }

  /**
   * Gets a capability.
   *
   * @throws ApiError `NOT_FOUND`.
   */
  async get(key: string, { signal }: CallOptions = {}): Promise<Capability> {
    return this.#transport.json({ method: "GET", path: pathOf(key), signal }, capabilitySchema);
  }

  /**
   * Changes a capability, or overrides an entry of the gateway's table. Omitted fields keep their values.
   *
   * @throws ApiError `NOT_FOUND`; `CONFLICT` if another request changes it; `INVALID_REQUEST` if the change is invalid.
   */
  async update(key: string, change: UpdateCapability, { signal }: CallOptions = {}): Promise<Capability> {
    const request = { method: "PATCH", path: pathOf(key), body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, capabilitySchema);
  }

  /** Deletes a capability of the workspace. An entry of the gateway's table that it overrides applies again. */
  async delete(key: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(key), signal });
  }
}

function pathOf(key: string): string {
  return `${PATH}/${requireId(capabilityKeySchema, key)}`;
}

import { type Endpoint, endpointIdSchema, endpointSchema, pageSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const endpointPageSchema = pageSchema(endpointSchema);

/** Handler URLs that the workspace's calls went to. */
export class Endpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first, with what the replica that answers sends each of them at the moment. */
  list(query: ListQuery = {}): PagedList<Endpoint> {
    return toPagedList({ transport: this.#transport, path: "/v1/endpoints", schema: endpointPageSchema }, query);
  }

  /** Lets calls go to a handler again that had answered 410 Gone, or that failed so often that its circuit opened. */
  async enable(endpointId: string, { signal }: CallOptions = {}): Promise<Endpoint> {
    const path = `/v1/endpoints/${requireId(endpointIdSchema, endpointId)}/enable`;
    return this.#transport.json({ method: "POST", path, signal }, endpointSchema);
  }
}

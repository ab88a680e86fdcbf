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

  /** Lists endpoints, newest first, with the current traffic of the replica that responds. */
  list(query: ListQuery = {}): PagedList<Endpoint> {
    return toPagedList({ transport: this.#transport, path: "/v1/endpoints", schema: endpointPageSchema }, query);
  }

  /** Enables an endpoint that responded with 410 Gone, and closes its circuit. */
  async enable(endpointId: string, { signal }: CallOptions = {}): Promise<Endpoint> {
    const path = `/v1/endpoints/${requireId(endpointIdSchema, endpointId)}/enable`;
    return this.#transport.json({ method: "POST", path, signal }, endpointSchema);
  }
}

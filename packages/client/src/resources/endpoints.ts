import { type Endpoint, endpointIdSchema, endpointSchema, pageSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const endpointPageSchema = pageSchema(endpointSchema);

/** The handler URLs to which the workspace's tool calls were sent. */
export class Endpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists endpoints, newest first. The current traffic is that of the replica that responds. */
  list(query: ListQuery = {}): PagedList<Endpoint> {
    return toPagedList({ transport: this.#transport, path: "/v1/endpoints", schema: endpointPageSchema }, query);
  }

  /** Enables an endpoint that was disabled because it responded with 410 Gone, and closes its circuit breaker. */
  async enable(endpointId: string, { signal }: CallOptions = {}): Promise<Endpoint> {
    const path = `/v1/endpoints/${requireId(endpointIdSchema, endpointId)}/enable`;
    return this.#transport.json({ method: "POST", path, signal }, endpointSchema);
  }
}

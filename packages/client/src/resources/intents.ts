import {
  type CreateIntent,
  type Intent,
  intentNameSchema,
  intentSchema,
  pageSchema,
  type UpdateIntent,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const PATH = "/v1/intents";
const intentPageSchema = pageSchema(intentSchema);

/** What agents need, without naming the tools that provide it. The key needs the scope `tools`. */
export class Intents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists intents, ordered by name. */
  list(query: ListQuery = {}): PagedList<Intent> {
    return toPagedList({ transport: this.#transport, path: PATH, schema: intentPageSchema }, query);
  }

  /**
   * Creates an intent.
   *
   * @throws ApiError `CONFLICT` if the name is taken; `INVALID_REQUEST` if the intent is invalid.
   */
  async create(intent: CreateIntent, { signal }: CallOptions = {}): Promise<Intent> {
    const request = { method: "POST", path: PATH, body: intent, signal, repeat: "refused" } as const;
    return this.#transport.json(request, intentSchema);
  }

  /**
   * Gets an intent.
   *
   * @throws ApiError `NOT_FOUND`.
   */
  async get(name: string, { signal }: CallOptions = {}): Promise<Intent> {
    return this.#transport.json({ method: "GET", path: pathOf(name), signal }, intentSchema);
  }

  /**
   * Changes an intent. Omitted fields keep their values.
   *
   * @throws ApiError `NOT_FOUND`; `CONFLICT` for an intent of the gateway; `INVALID_REQUEST` if a capability of the
   *   intent does not fit its new parameters.
   */
  async update(name: string, change: UpdateIntent, { signal }: CallOptions = {}): Promise<Intent> {
    const request = { method: "PATCH", path: pathOf(name), body: change, signal, repeat: "refused" } as const;
    return this.#transport.json(request, intentSchema);
  }

  /** Deletes an intent that no capability serves. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(name), signal });
  }
}

function pathOf(name: string): string {
  return `${PATH}/${requireId(intentNameSchema, name)}`;
}

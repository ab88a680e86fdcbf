import {
  type CreateToolkit,
  pageSchema,
  type Toolkit,
  toolkitIdSchema,
  toolkitSchema,
  type UpdateToolkit,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

/** How to delete a toolkit. */
export interface DeleteToolkitOptions extends CallOptions {
  /** `archive`: those of its tools that are not `created` go with it. Default `keep`. */
  readonly tools?: "keep" | "archive" | undefined;
}

const toolkitPageSchema = pageSchema(toolkitSchema);

/** Tools that were made together, for one provider and credential. The key needs the scope `tools`. */
export class Toolkits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(toolkit: CreateToolkit, { signal }: CallOptions = {}): Promise<Toolkit> {
    const request = { method: "POST", path: "/v1/toolkits", body: toolkit, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolkitSchema);
  }

  async get(toolkitId: string, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "GET", path: pathOf(toolkitId), signal }, toolkitSchema);
  }

  /** Newest first, with their tools. */
  list(query: ListQuery = {}): PagedList<Toolkit> {
    return toPagedList({ transport: this.#transport, path: "/v1/toolkits", schema: toolkitPageSchema }, query);
  }

  /** Changes a toolkit; tools that it has stay as they are. */
  async update(toolkitId: string, change: UpdateToolkit, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "PATCH", path: pathOf(toolkitId), body: change, signal }, toolkitSchema);
  }

  /** Deletes a toolkit; its tools stay, outside of any. */
  async delete(toolkitId: string, options: DeleteToolkitOptions = {}): Promise<void> {
    requireKnownOptions(options, ["tools", "signal"], "toolkits.delete");
    const { signal, tools } = options;
    await this.#transport.empty({ method: "DELETE", path: pathOf(toolkitId), query: { tools }, signal });
  }

  /** Makes every validated tool of a toolkit one that agents can use. @throws ApiError `CONFLICT` when there is none. */
  async finalize(toolkitId: string, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "POST", path: `${pathOf(toolkitId)}/finalize`, signal }, toolkitSchema);
  }
}

function pathOf(toolkitId: string): string {
  return `/v1/toolkits/${requireId(toolkitIdSchema, toolkitId)}`;
}

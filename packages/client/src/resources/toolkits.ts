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

/** Options for `toolkits.delete`. */
export interface DeleteToolkitOptions extends CallOptions {
  /**
   * What happens to the toolkit's tools. `keep` (default): they remain, without a toolkit. `archive`: they are
   * archived, except those with the status `created`.
   */
  readonly tools?: "keep" | "archive" | undefined;
}

const toolkitPageSchema = pageSchema(toolkitSchema);

/** Groups of tools for one API and one credential. The key needs the scope `tools`. */
export class Toolkits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a toolkit without tools. */
  async create(toolkit: CreateToolkit, { signal }: CallOptions = {}): Promise<Toolkit> {
    const request = { method: "POST", path: "/v1/toolkits", body: toolkit, signal, repeat: "refused" } as const;
    return this.#transport.json(request, toolkitSchema);
  }

  /** Gets a toolkit with its tools. */
  async get(toolkitId: string, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "GET", path: pathOf(toolkitId), signal }, toolkitSchema);
  }

  /** Lists toolkits with their tools, newest first. */
  list(query: ListQuery = {}): PagedList<Toolkit> {
    return toPagedList({ transport: this.#transport, path: "/v1/toolkits", schema: toolkitPageSchema }, query);
  }

  /** Changes a toolkit. The tools that it already contains do not change. */
  async update(toolkitId: string, change: UpdateToolkit, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "PATCH", path: pathOf(toolkitId), body: change, signal }, toolkitSchema);
  }

  /** Deletes a toolkit. By default, its tools remain without a toolkit; `tools` changes that. */
  async delete(toolkitId: string, options: DeleteToolkitOptions = {}): Promise<void> {
    requireKnownOptions(options, ["tools", "signal"], "toolkits.delete");
    const { signal, tools } = options;
    await this.#transport.empty({ method: "DELETE", path: pathOf(toolkitId), query: { tools }, signal });
  }

  /**
   * Makes all validated tools of a toolkit available to agents.
   *
   * @throws ApiError `CONFLICT` if the toolkit has no validated tools.
   */
  async finalize(toolkitId: string, { signal }: CallOptions = {}): Promise<Toolkit> {
    return this.#transport.json({ method: "POST", path: `${pathOf(toolkitId)}/finalize`, signal }, toolkitSchema);
  }
}

function pathOf(toolkitId: string): string {
  return `/v1/toolkits/${requireId(toolkitIdSchema, toolkitId)}`;
}

import {
  type CreatedWorkspace,
  createdWorkspaceSchema,
  pageSchema,
  type Workspace,
  workspaceIdSchema,
  workspaceSchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const workspacePageSchema = pageSchema(workspaceSchema);

/** Workspaces, the gateway's units of isolation. The key needs the scope `admin`; to create or update a workspace, it must be a key of the workspace `default`. */
export class Workspaces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists workspaces. */
  list(query: ListQuery = {}): PagedList<Workspace> {
    return toPagedList({ transport: this.#transport, path: "/v1/workspaces", schema: workspacePageSchema }, query);
  }

  /**
   * Creates a workspace with its first signing secret. Only this result contains that secret.
   *
   * @param body.plan - `standard` (default), `pro`, or another plan that the gateway has.
   */
  async create(
    body: { readonly name: string; readonly plan?: string },
    { signal }: CallOptions = {},
  ): Promise<CreatedWorkspace> {
    const path = "/v1/workspaces";
    const request = { method: "POST", path, body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, createdWorkspaceSchema);
  }

  /** Changes the plan of a workspace. The new plan applies to later requests. */
  async update(workspaceId: string, body: { readonly plan: string }, { signal }: CallOptions = {}): Promise<Workspace> {
    const path = `/v1/workspaces/${requireId(workspaceIdSchema, workspaceId)}`;
    return this.#transport.json({ method: "PATCH", path, body, signal }, workspaceSchema);
  }
}

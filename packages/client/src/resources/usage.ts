import { type WorkspaceUsage, workspaceIdSchema, workspaceUsageSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** A workspace's usage of its quotas. The key needs one of the scopes `agents`, `executions`, `tools`, `secrets`, `operations` and `admin`. */
export class WorkspaceUsages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Gets the limit and the current usage of every quota.
   *
   * @param query.workspaceId - another workspace; allowed only with an admin key of the workspace `default`.
   * @throws ApiError `NOT_FOUND` for a workspace that the key may not read.
   */
  async get(
    { workspaceId }: { readonly workspaceId?: string | undefined } = {},
    { signal }: CallOptions = {},
  ): Promise<WorkspaceUsage> {
    const query = workspaceId === undefined ? {} : { workspaceId: requireId(workspaceIdSchema, workspaceId) };
    return this.#transport.json({ method: "GET", path: "/v1/usage", query, signal }, workspaceUsageSchema);
  }
}

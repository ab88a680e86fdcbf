import {
  pageSchema,
  type Redeliver,
  type Redelivery,
  redeliverySchema,
  type ToolCallRecord,
  type ToolCallStatus,
  type ToolCallSummary,
  toolCallIdSchema,
  toolCallRecordSchema,
  toolCallSummarySchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const summaryPageSchema = pageSchema(toolCallSummarySchema);

/** Which tool calls to list. All given filters must match. */
export interface ToolCallListQuery extends ListQuery {
  readonly status?: ToolCallStatus | undefined;
  /** The name of the tool. */
  readonly tool?: string | undefined;
  /** The error code, such as `TIMEOUT`. */
  readonly code?: string | undefined;
}

/** Tool calls of the workspace. */
export class ToolCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the tool calls of all executions that match all filters, newest first. The list is at most 2 seconds behind.
   *
   * @throws YagateError `INVALID_REQUEST` for an unknown option.
   */
  list(query: ToolCallListQuery = {}): PagedList<ToolCallSummary> {
    requireKnownOptions(query, ["limit", "cursor", "signal", "status", "tool", "code"], "toolCalls.list");
    const { status, tool, code, ...page } = query;
    const source = { transport: this.#transport, path: "/v1/tool-calls", schema: summaryPageSchema };
    return toPagedList({ ...source, filter: { status, tool, code } }, page);
  }

  /** Gets a tool call with its attempts. */
  async get(toolCallId: string, { signal }: CallOptions = {}): Promise<ToolCallRecord> {
    const path = `/v1/tool-calls/${requireId(toolCallIdSchema, toolCallId)}`;
    return this.#transport.json({ method: "GET", path, signal }, toolCallRecordSchema);
  }

  /**
   * Sends an ended call of a handler tool to its handler again. The outcome of the call does not change.
   *
   * @param options.confirm - required for a tool that may write.
   * @param options.url - sends the call to this URL instead; only in development workspaces.
   * @throws ApiError 409 if the call cannot be sent again or a write is not confirmed; 403 if the key lacks a scope.
   */
  async redeliver(toolCallId: string, options: Redeliver & CallOptions = {}): Promise<Redelivery> {
    requireKnownOptions(options, ["confirm", "url", "signal"], "toolCalls.redeliver");
    const { signal, ...body } = options;
    const path = `/v1/tool-calls/${requireId(toolCallIdSchema, toolCallId)}/redeliver`;
    // A repeated request would send the call again.
    return this.#transport.json({ method: "POST", path, body, signal, repeat: "refused" }, redeliverySchema);
  }
}

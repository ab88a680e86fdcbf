import { MAX_PAGE_LIMIT, pageSchema, type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";

const toolCallPageSchema = pageSchema(toolCallRecordSchema);

/** Lists an execution's tool calls, in the order in which the model requested them. */
export function listToolCalls(
  transport: Transport,
  executionId: string,
  query: ListQuery = {},
): PagedList<ToolCallRecord> {
  const path = `/v1/executions/${executionId}/tool-calls`;
  return toPagedList({ transport, path, schema: toolCallPageSchema }, { limit: MAX_PAGE_LIMIT, ...query });
}

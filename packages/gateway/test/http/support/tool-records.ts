import { type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import { z } from "zod";
import { expectStatus } from "./agents.ts";
import type { ApiCaller, Call } from "./api-caller.ts";

const pageSchema = z.object({ data: z.array(toolCallRecordSchema), nextCursor: z.string().nullable() });

/** All tool calls of an execution, page by page, in their order. */
export async function toolRecordsOf(api: ApiCaller, id: string, call: Call = {}): Promise<readonly ToolCallRecord[]> {
  const records: ToolCallRecord[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: "100", ...(cursor === undefined ? {} : { cursor }) };
    const listed = await api.call("listToolCalls", { ...call, params: { id }, query });
    const { data, nextCursor } = pageSchema.parse(expectStatus(listed, 200));
    records.push(...data);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return records;
}

import type { AttemptDetail, Page, Redeliver, Redelivery, ToolCallRecord } from "@yagate/protocol";
import { request } from "./request.ts";

export const getToolCall = (id: string, signal?: AbortSignal) =>
  request<ToolCallRecord>(`v1/tool-calls/${id}`, { signal });

export const getAttempt = (id: string, signal?: AbortSignal) => request<AttemptDetail>(`v1/attempts/${id}`, { signal });

export const redeliver = (id: string, body: Redeliver) =>
  request<Redelivery>(`v1/tool-calls/${id}/redeliver`, { method: "POST", body });

/** Reads the tool calls of an execution, page by page. */
export async function listCalls(executionId: string, signal?: AbortSignal): Promise<readonly ToolCallRecord[]> {
  const found: ToolCallRecord[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<ToolCallRecord> = await request(`v1/executions/${executionId}/tool-calls`, {
      query: { limit: 200, cursor },
      signal,
    });
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

import type { AttemptDetail, Page, Redeliver, Redelivery, ToolCallRecord, ToolCallSummary } from "@yagate/protocol";
import { request } from "./request.ts";

export const getToolCall = (id: string, signal?: AbortSignal) =>
  request<ToolCallRecord>(`v1/tool-calls/${id}`, { signal });

/** What the list of tool calls is filtered by; an absent value matches everything. */
export interface ToolCallQuery {
  readonly status?: string | undefined;
  readonly tool?: string | undefined;
  readonly code?: string | undefined;
  readonly cursor?: string | undefined;
}

const SHOWN = 50;

export const listToolCalls = (query: ToolCallQuery, signal?: AbortSignal) =>
  request<Page<ToolCallSummary>>("v1/tool-calls", { query: { ...query, limit: SHOWN }, signal });

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

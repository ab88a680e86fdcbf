import type { Execution, Page } from "@yagate/protocol";
import { request } from "./request.ts";

/** What the list of executions is filtered by; an absent value matches everything. */
export interface ExecutionFilter {
  readonly status?: string | undefined;
  readonly agent?: string | undefined;
  readonly code?: string | undefined;
  /** The name of a tool that was called. */
  readonly tool?: string | undefined;
  /** A name of {@link RANGES}. */
  readonly range?: string | undefined;
  /** `name=value` of the metadata. */
  readonly metadata?: string | undefined;
}

/** The time ranges that can be chosen, with their lengths in ms. */
export const RANGES = {
  "1h": { name: "Last hour", ms: 3_600_000 },
  "24h": { name: "Last 24 h", ms: 86_400_000 },
  "7d": { name: "Last 7 days", ms: 604_800_000 },
} as const;

function sinceOf(range: string | undefined, now: number): string | undefined {
  if (range === undefined || !Object.hasOwn(RANGES, range)) return undefined;
  return new Date(now - RANGES[range as keyof typeof RANGES].ms).toISOString();
}

/** Returns the query parameters of a filter. */
export function toQuery(filter: ExecutionFilter, now: number): Readonly<Record<string, string | undefined>> {
  const { status, agent, code, tool, range, metadata } = filter;
  const at = metadata?.indexOf("=") ?? -1;
  const pair =
    metadata === undefined || at < 1 ? {} : { [`metadata.${metadata.slice(0, at)}`]: metadata.slice(at + 1) };
  return { status, agent, code, tool, since: sinceOf(range, now), ...pair };
}

export interface ExecutionPageRequest {
  readonly filter: ExecutionFilter;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export function listExecutions(
  { filter, cursor, limit }: ExecutionPageRequest,
  signal?: AbortSignal,
): Promise<Page<Execution>> {
  return request<Page<Execution>>("v1/executions", {
    query: { ...toQuery(filter, Date.now()), cursor, limit },
    signal,
  });
}

export const startExecution = (agentId: string, body: { readonly input: string }) =>
  request<Execution>(`v1/agents/${agentId}/executions`, { method: "POST", body });

export const cancelExecution = (id: string) => request<Execution>(`v1/executions/${id}/cancel`, { method: "POST" });

/** Returns the start of an execution's input: its last message, if it is a conversation. */
export function inputOf({ input }: Pick<Execution, "input">): string {
  if (typeof input === "string") return input;
  return input.at(-1)?.content ?? "";
}

/** Whether an execution can still be cancelled. */
export function isOpen({ status }: Pick<Execution, "status">): boolean {
  return status === "queued" || status === "running" || status === "waiting";
}

import { queryOptions } from "@tanstack/react-query";
import type { Agent, CreateAgent, Page, UpdateAgent } from "@yagate/protocol";
import { listAll } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 100;
const MOST_VERSIONS = 200;

/** The newest agents of the workspace, for names beside their ids. */
export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }) => (await request<Page<Agent>>("v1/agents", { query: { limit: MOST }, signal })).data,
  staleTime: 60_000,
});

export const getAgent = (id: string, signal?: AbortSignal) => request<Agent>(`v1/agents/${id}`, { signal });

/** All versions of an agent, the newest first. */
export const listVersions = async (id: string, signal?: AbortSignal) =>
  (await listAll<Agent>(`v1/agents/${id}/versions`, MOST_VERSIONS, signal)).toSorted(
    (left, right) => right.version - left.version,
  );

export const createAgent = (body: CreateAgent) => request<Agent>("v1/agents", { method: "POST", body });

export const updateAgent = (id: string, body: UpdateAgent) =>
  request<Agent>(`v1/agents/${id}`, { method: "PATCH", body });

export const deleteAgent = (id: string) => request<undefined>(`v1/agents/${id}`, { method: "DELETE" });

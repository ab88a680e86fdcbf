import { queryOptions } from "@tanstack/react-query";
import type { Agent, Page } from "@yagate/protocol";
import { request } from "./request.ts";

const MOST = 100;

/** The newest agents of the workspace, for names beside their ids. */
export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }) => (await request<Page<Agent>>("v1/agents", { query: { limit: MOST }, signal })).data,
  staleTime: 60_000,
});

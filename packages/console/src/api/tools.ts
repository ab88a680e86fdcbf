import type {
  AcceptTools,
  ToolChange,
  ToolPreview,
  ToolSource,
  ToolSourceTest,
  WorkspaceTool,
  WorkspaceToolTest,
} from "@yagate/protocol";
import { listAll } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 2_000;

export const listTools = (signal?: AbortSignal) => listAll<WorkspaceTool>("v1/tools", MOST, signal);

export const getTool = (id: string, signal?: AbortSignal) => request<WorkspaceTool>(`v1/tools/${id}`, { signal });

export const createTool = (body: unknown) => request<WorkspaceTool>("v1/tools", { method: "POST", body });

export const updateTool = (id: string, body: unknown) =>
  request<WorkspaceTool>(`v1/tools/${id}`, { method: "PATCH", body });

export const deleteTool = (id: string) => request<undefined>(`v1/tools/${id}`, { method: "DELETE" });

/** Sends one real request of a tool, and returns the test with the complete response. */
export async function testTool(
  id: string,
  body: { readonly parameters: unknown; readonly confirm: boolean },
): Promise<WorkspaceToolTest> {
  await request<WorkspaceTool>(`v1/tools/${id}/test`, { method: "POST", body });
  return request<WorkspaceToolTest>(`v1/tools/${id}/test`);
}

export const advanceTool = (id: string, verb: "validate" | "finalize", version: number) =>
  request<WorkspaceTool>(`v1/tools/${id}/${verb}`, { method: "POST", body: { version } });

export const previewTool = (tool: unknown, parameters: unknown, signal?: AbortSignal) =>
  request<ToolPreview>("v1/tools/preview", { method: "POST", body: { tool, parameters }, signal });

export const listSources = (signal?: AbortSignal) => listAll<ToolSource>("v1/tool-sources", MOST, signal);

export const getSource = (id: string, signal?: AbortSignal) => request<ToolSource>(`v1/tool-sources/${id}`, { signal });

export const createSource = (body: unknown) => request<ToolSource>("v1/tool-sources", { method: "POST", body });

export const syncSource = (id: string) => request<ToolSource>(`v1/tool-sources/${id}/sync`, { method: "POST" });

export const testSource = (id: string) => request<ToolSourceTest>(`v1/tool-sources/${id}/test`, { method: "POST" });

export const listChanges = (id: string, signal?: AbortSignal) =>
  listAll<ToolChange>(`v1/tool-sources/${id}/changes`, MOST, signal);

export const acceptTools = (id: string, body: AcceptTools) =>
  request<ToolSource>(`v1/tool-sources/${id}/accept`, { method: "POST", body });

export const revokeTools = (id: string, tools: readonly string[]) =>
  request<ToolSource>(`v1/tool-sources/${id}/revoke`, { method: "POST", body: { tools } });

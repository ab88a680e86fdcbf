import type { ApiKey, AuditEntry, CreatedApiKey, Provider, Scope, WorkspaceUsage } from "@yagate/protocol";
import { listAll, listOf } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 1_000;
const AUDIT_ROWS = 100;

export const listKeys = (signal?: AbortSignal) => listAll<ApiKey>("v1/api-keys", MOST, signal);

export const createKey = (body: {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: string;
}) => request<CreatedApiKey>("v1/api-keys", { method: "POST", body });

export const rotateKey = (id: string) =>
  request<CreatedApiKey>(`v1/api-keys/${id}/rotate`, { method: "POST", body: {} });

export const deleteKey = (id: string) => request<undefined>(`v1/api-keys/${id}`, { method: "DELETE" });

export const listProviders = (signal?: AbortSignal) => listAll<Provider>("v1/providers", MOST, signal);

export const getUsage = (signal?: AbortSignal) => request<WorkspaceUsage>("v1/usage", { signal });

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
}

/** The newest changes of the workspace. */
export const listAudit = (filter: AuditFilter, signal?: AbortSignal) =>
  listOf<AuditEntry>("v1/audit", { ...filter, limit: AUDIT_ROWS }, signal);

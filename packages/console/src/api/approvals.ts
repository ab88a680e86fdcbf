import type { Approval, Page } from "@yagate/protocol";
import { request } from "./request.ts";

const MOST = 200;

/** The approvals that wait, oldest first. */
export async function pendingApprovals(signal?: AbortSignal): Promise<readonly Approval[]> {
  const page = await request<Page<Approval>>("v1/approvals", { query: { status: "pending", limit: MOST }, signal });
  return page.data.toSorted((left, right) => left.requestedAt.localeCompare(right.requestedAt));
}

/** The approvals that were resolved, the latest first. */
export async function resolvedApprovals(signal?: AbortSignal): Promise<readonly Approval[]> {
  const page = await request<Page<Approval>>("v1/approvals", { query: { limit: MOST }, signal });
  return page.data.filter(({ status }) => status !== "pending");
}

export const getApproval = (id: string, signal?: AbortSignal) => request<Approval>(`v1/approvals/${id}`, { signal });

export const approve = (id: string, body: { readonly comment?: string; readonly parameters?: unknown }) =>
  request<Approval>(`v1/approvals/${id}/approve`, { method: "POST", body });

export const deny = (id: string, body: { readonly reason?: string }) =>
  request<Approval>(`v1/approvals/${id}/deny`, { method: "POST", body });

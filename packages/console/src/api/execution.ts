import type { Execution, Receipt, ReplayRequest } from "@yagate/protocol";
import { request } from "./request.ts";

export const getExecution = (id: string, signal?: AbortSignal) => request<Execution>(`v1/executions/${id}`, { signal });

export const getReceipt = (id: string, signal?: AbortSignal) =>
  request<Receipt>(`v1/executions/${id}/receipt`, { signal });

export const replayExecution = (id: string, body: ReplayRequest) =>
  request<Execution>(`v1/executions/${id}/replay`, { method: "POST", body });

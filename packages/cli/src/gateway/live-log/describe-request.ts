import type { FailedRequest } from "@yagate/gateway";
import type { LogEntry } from "./log-entry.ts";

/** Describes a request of a client that failed; undefined if it is not one of the API. */
export function describeRequest({ at, method, path, status, code, message }: FailedRequest): LogEntry | undefined {
  if (!/^\/(?:v1|mcp)(?:\/|$)/.test(path)) return undefined;
  return { at, id: "request", kind: "failed", text: `${method} ${path} → ${status} ${code}: ${message}`, details: [] };
}

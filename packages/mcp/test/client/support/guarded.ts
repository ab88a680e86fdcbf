import { createEgressGuard } from "@yagate/egress";
import { afterAll } from "vitest";
import { callMcpTool, type McpCall } from "../../../src/client/call-tool.ts";
import type { McpCallOutcome, McpEndpoint } from "../../../src/client/port.ts";

/** Opens the guard of a test file. It lets requests reach servers on loopback. */
export function openGuard(): (url: string, headers?: Readonly<Record<string, string>>) => McpEndpoint {
  const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" });
  afterAll(() => guard.close());
  return (url, headers = {}) => ({ url, fetch: guard.fetch, headers });
}

/** Returns a function that calls the tool `work` of a server. */
export function toWork(
  endpointOf: ReturnType<typeof openGuard>,
): (url: string, change?: Partial<McpCall>) => Promise<McpCallOutcome> {
  return (url, change = {}) =>
    callMcpTool(endpointOf(url), {
      ...{ name: "work", arguments: {}, parameters: { type: "object" }, timeoutMs: 20_000, maxResponseBytes: 100_000 },
      signal: new AbortController().signal,
      ...change,
    });
}

import { createEgressGuard } from "@yagate/egress";
import { afterAll } from "vitest";
import type { McpEndpoint } from "../../../src/client/port.ts";

/** Opens the guard of a test file. It lets requests reach servers on loopback. */
export function openGuard(): (url: string, headers?: Readonly<Record<string, string>>) => McpEndpoint {
  const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" });
  afterAll(() => guard.close());
  return (url, headers = {}) => ({ url, fetch: guard.fetch, headers });
}

import type { Endpoint } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints the endpoints of the workspace, newest first. */
export async function listEndpoints(invocation: Invocation): Promise<void> {
  const endpoints = await (await invocation.client()).endpoints.list({ limit: 200 }).toArray();
  invocation.output.result(endpoints, () => describe(endpoints));
}

function describe(endpoints: readonly Endpoint[]): string {
  if (endpoints.length === 0) return "No calls have been sent to a handler in this workspace.";
  const rows = endpoints.map(({ id, status, circuit, inFlight, queued, url, reason }) => [
    ...[id, status, circuit.state, `${circuit.failures}/${circuit.attempts}`],
    ...[`${inFlight}`, `${queued}`, reason === null ? url : `${url} (${reason})`],
  ]);
  return table([["ID", "STATUS", "CIRCUIT", "FAILED", "IN FLIGHT", "QUEUED", "URL"], ...rows]);
}

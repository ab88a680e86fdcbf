import type { Endpoint } from "@yagate/protocol";
import { listAll } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 1_000;

export const listEndpoints = (signal?: AbortSignal) => listAll<Endpoint>("v1/endpoints", MOST, signal);

export const enableEndpoint = (id: string) => request<Endpoint>(`v1/endpoints/${id}/enable`, { method: "POST" });

/** Whether someone should look at a handler. */
export function isInTrouble({ status, circuit }: Endpoint): boolean {
  return status === "disabled" || circuit.state !== "closed" || circuit.failures > 0;
}

/** Returns the state of a handler in one line. */
export function troubleOf({ status, reason, circuit }: Endpoint): string {
  if (status === "disabled") return reason ?? "disabled";
  if (circuit.state === "open") return "breaker open";
  if (circuit.state === "half_open") return "breaker half open: the next attempt decides";
  return circuit.failures > 0 ? `${circuit.failures} of ${circuit.attempts} attempts failed in a minute` : "in order";
}

import type { RestDefinition, SideEffect } from "@yagate/protocol";

/** What a REST tool does to the world: as its author says, else nothing for a GET; null where nobody knows. */
export function restSideEffect({
  method,
  sideEffect,
}: Pick<RestDefinition, "method" | "sideEffect">): SideEffect | null {
  return sideEffect ?? (method === "GET" ? "read_only" : null);
}

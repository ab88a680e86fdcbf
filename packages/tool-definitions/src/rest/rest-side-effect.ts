import type { RestDefinition, SideEffect } from "@yagate/protocol";
import { overridesMethod } from "../request/method-override.ts";

/** What a REST tool does to the world: as its author says, else nothing for a GET; null where nobody knows. */
export function restSideEffect({
  method,
  parameters,
  sideEffect,
}: Pick<RestDefinition, "method" | "parameters" | "sideEffect">): SideEffect | null {
  const headers = parameters.filter((parameter) => parameter.in === "header");
  const isRead = method === "GET" && !overridesMethod(headers.map(({ name, wireName = name }) => wireName));
  return sideEffect ?? (isRead ? "read_only" : null);
}

import type { RestDefinition, SideEffect } from "@yagate/protocol";
import { overridesMethod } from "../request/method-override.ts";

/**
 * Returns the side effect of a REST tool: the declared one, or `read_only` for a GET without a declaration; null if it
 * is unknown.
 */
export function restSideEffect({
  method,
  parameters,
  sideEffect,
}: Pick<RestDefinition, "method" | "parameters" | "sideEffect">): SideEffect | null {
  const headers = parameters.filter((parameter) => parameter.in === "header");
  const isRead = method === "GET" && !overridesMethod(headers.map(({ name, wireName = name }) => wireName));
  return sideEffect ?? (isRead ? "read_only" : null);
}

import { type ToolCallRecord, YagateError } from "@yagate/protocol";
import type { Principal } from "../../secrets/principal.ts";
import type { Route } from "../route.ts";

/**
 * Refuses what an execution's token is not for. Routes are closed to tokens unless they say otherwise.
 *
 * @throws YagateError `FORBIDDEN` for the route; `NOT_FOUND` for another execution, as for one that does not exist.
 */
export function assertTokenOpens(
  route: Pick<Route, "token">,
  { execution }: Principal,
  params: Readonly<Record<string, string>>,
): void {
  if (execution === undefined) return;
  if (route.token === undefined) {
    throw new YagateError("FORBIDDEN", "expected an API key, not an execution token", {
      hint: "a token opens its execution's record, events and tool calls, and answers its fallbacks",
    });
  }
  if (route.token === "execution" && params["id"] !== execution.id) {
    throw new YagateError("NOT_FOUND", "no execution of this id in this workspace");
  }
}

/**
 * The same for a tool call, once it is known whose it is.
 *
 * @throws YagateError `NOT_FOUND`, as for a call that does not exist.
 */
export function assertTokenOpensCall({ execution }: Principal, call: Pick<ToolCallRecord, "executionId">): void {
  if (execution === undefined || call.executionId === execution.id) return;
  throw new YagateError("NOT_FOUND", "no tool call of this id in this workspace");
}

import { type ToolCallRecord, YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { Route } from "../route.ts";

/**
 * Rejects a request with an execution token that does not give access to the route or the execution. A route accepts
 * such tokens only if it declares this.
 *
 * @throws YagateError `FORBIDDEN` for the route; `NOT_FOUND` for another execution, the same as for one that does not
 *   exist.
 */
export function assertTokenOpens(
  route: Pick<Route, "token">,
  { execution }: Principal,
  params: Readonly<Record<string, string>>,
): void {
  if (execution === undefined) return;
  if (route.token === undefined) {
    throw new YagateError("FORBIDDEN", "expected an API key, not an execution token", {
      hint: "an execution token gives access to the record, events, tool calls and fallbacks of its execution",
    });
  }
  if (route.token === "execution" && params["id"] !== execution.id) {
    throw new YagateError("NOT_FOUND", "no execution with this id in this workspace");
  }
}

/**
 * Rejects a request with an execution token for a tool call of another execution. Call it once the tool call's
 * execution is known.
 *
 * @throws YagateError `NOT_FOUND`, the same as for a call that does not exist.
 */
export function assertTokenOpensCall({ execution }: Principal, call: Pick<ToolCallRecord, "executionId">): void {
  if (execution === undefined || call.executionId === execution.id) return;
  throw new YagateError("NOT_FOUND", "no tool call with this id in this workspace");
}

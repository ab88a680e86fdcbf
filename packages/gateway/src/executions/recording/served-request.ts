import type { ExecutionEvent } from "@yagate/protocol";

type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;

/**
 * Returns the request of a call as if the capability to which the call moved had served it from the start. Its result is
 * that capability's, so the model reads no more of it than that capability shows.
 */
export function servedBy(
  requested: EventOf<"tool_call.requested">,
  { to, kind, sideEffect, risk, policyDecision, projection, isUntrusted }: EventOf<"route.changed">,
): EventOf<"tool_call.requested"> {
  const wasUntrusted = requested.isUntrusted ?? requested.kind === "network";
  return {
    ...requested,
    ...{ capability: to, kind, sideEffect, risk, policyDecision, projection },
    isUntrusted: wasUntrusted || isUntrusted === true,
  };
}

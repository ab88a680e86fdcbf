import type { ExecutionEvent, IntentRoute, RouteDecision, ToolErrorRecord } from "@yagate/protocol";

/** Codes of failures that another capability of the same intent may not share. */
const OUTAGES: ReadonlySet<string> = new Set([
  ...["NOT_CONFIGURED", "TIMEOUT", "NETWORK_ERROR", "TLS_ERROR", "DNS_BLOCKED", "RATE_LIMITED", "HANDLER_ERROR"],
  ...[
    "HANDLER_GONE",
    "ENDPOINT_DISABLED",
    "CIRCUIT_OPEN",
    "QUOTA_EXCEEDED",
    "UNAVAILABLE",
    "TOOL_HELD",
    "TOOL_REMOVED",
  ],
  ...["UNKNOWN_TOOL", "SOURCE_UNREACHABLE", "SOURCE_UNAUTHORIZED", "INVALID_RESPONSE", "INVALID_RESPONSE_SIGNATURE"],
]);

/** Returns whether a call failed for a reason that another capability may not share. */
export function isOutage({ code }: Pick<ToolErrorRecord, "code">): boolean {
  return OUTAGES.has(code);
}

/** Notes whether the last call of a capability failed. */
export function noteCapability(
  state: { failedCapabilities: readonly string[] },
  key: string | undefined,
  { hasFailed }: { readonly hasFailed: boolean },
): void {
  if (key === undefined || state.failedCapabilities.includes(key) === hasFailed) return;
  const others = state.failedCapabilities.filter((other) => other !== key);
  state.failedCapabilities = hasFailed ? [...others, key] : others;
}

/** Returns the capability that serves an intent if the model's provider runs it. */
export function hostedKey(route: IntentRoute | undefined): string | undefined {
  const chosen = route?.candidates.find(({ key }) => key === route.chosen);
  return chosen?.isHosted === true ? chosen.key : undefined;
}

/** Returns the decision that an event records. */
export function toDecision(event: Extract<ExecutionEvent, { type: "route.decided" }>): RouteDecision {
  const { type: _type, seq: _seq, at: _at, executionId: _executionId, ...decision } = event;
  return decision;
}

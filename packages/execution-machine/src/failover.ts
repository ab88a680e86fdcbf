import type { Cost } from "@yagate/protocol";
import type { Failure } from "./call-outcome.ts";
import { isFree } from "./cost.ts";
import type { EventLog } from "./event-log.ts";
import { type ExecutionConfig, isRecordedCall } from "./execution-config.ts";
import { isOutage } from "./route.ts";
import { type CallState, isClosing } from "./state.ts";
import { hasOpenTask } from "./task-state.ts";
import { toToolError } from "./tool-error.ts";

/**
 * Moves a call to the next capability of its intent, if its own failed for a reason that others may not share. A call
 * that may write moves only if its capability received none of its requests. An approved call never moves, because the
 * approval covers a request to its own capability.
 *
 * @param cost - the cost of the failed run that is not yet part of the cost of the call.
 * @returns whether the call has moved.
 */
export function moveToNextCapability(
  log: EventLog,
  call: CallState,
  failure: Failure,
  { config, cost }: { readonly config: ExecutionConfig; readonly cost: Cost },
): boolean {
  const { capability: from, approval } = call;
  if (from === undefined || approval !== null || isClosing(log.state) || isRecordedCall(config, call)) return false;
  if (!isOutage(failure) || hasOpenTask(call)) return false;
  const { code, message, outcome } = toToolError(call, failure);
  if (call.sideEffect !== "read_only" && (outcome !== "none" || wasReceived(call, failure))) return false;
  const change = config.nextCapability?.(log.state, call);
  if (change === undefined) return false;
  log.append({
    ...{ type: "route.changed", toolCallId: call.id, from, error: { code, message }, ...change },
    ...(isFree(cost) ? {} : { cost }),
  });
  return true;
}

/**
 * Returns whether the capability has received a request of the call. Even one that answered with an error may have
 * written before, and no idempotency key spans two capabilities.
 */
function wasReceived({ attempts, earlierAttempts, callback, task }: CallState, { source }: Failure): boolean {
  if (source === "handler" || callback !== null || task !== null) return true;
  return attempts.slice(earlierAttempts).some(({ httpStatus }) => httpStatus !== undefined);
}

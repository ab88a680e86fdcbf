import { gatewayFailure } from "../calls/failure.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import type { EndpointVerdict } from "./endpoints/circuit-breaker.ts";
import type { EndpointLimiter, RejectionReason, Turn } from "./endpoints/endpoint-limiter.ts";
import { QueueFullError } from "./endpoints/queue-full-error.ts";
import { rejectionFailure } from "./endpoints/rejection-failure.ts";
import type { AttemptFailure, AttemptRequest, Dispatcher } from "./port.ts";
import { renderCall } from "./request/render-call.ts";
import { unsentReport } from "./send/attempt-report.ts";
import { LateWatches } from "./send/late-watches.ts";
import { sendAttempt } from "./send/send-attempt.ts";

/**
 * Sends signed calls: each attempt waits for its turn at its endpoint, is signed anew, sent once, and its answer read by
 * the table of the wire contract.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { endpoints, now } = options;
  const lateWatches = new LateWatches();

  function refusalOf({ workspaceId, tool, signal, unsentSignal }: AttemptRequest): AttemptFailure | undefined {
    if (endpoints.isDisabled(workspaceId, tool.handler)) {
      return gatewayFailure("ENDPOINT_DISABLED", "the tool is switched off: it said it is gone", { outcome: "none" });
    }
    return signal.aborted || unsentSignal?.aborted === true ? rejectionFailure("cancelled") : undefined;
  }

  function wait(traffic: EndpointLimiter, request: AttemptRequest): Promise<Turn | RejectionReason> {
    const { signal, unsentSignal, deadline, latestDeadline = deadline } = request;
    const signals = unsentSignal === undefined ? [signal] : [signal, unsentSignal];
    const waiting = traffic.wait({ signals, forMs: latestDeadline - now() });
    const { onQueued } = request;
    if (onQueued === undefined) return waiting;
    onQueued(true);
    return waiting.finally(() => onQueued(false));
  }

  return {
    render: renderCall,
    async attempt(request) {
      const arrivedAt = performance.now();
      const unsent = (failure: AttemptFailure) => unsentReport(failure, performance.now() - arrivedAt);
      const refusal = refusalOf(request);
      if (refusal !== undefined) return unsent(refusal);
      const traffic = endpoints.trafficTo(request.workspaceId, request.tool.handler);
      const immediate = traffic.enter();
      if (immediate === "queue_full" && traffic.hasQueue && request.isPostponable === true) {
        throw new QueueFullError("expected room in the endpoint's queue");
      }
      const enteredAt = immediate === undefined ? now() : undefined;
      const turn = immediate ?? (await wait(traffic, request));
      if (typeof turn === "string") return unsent(rejectionFailure(turn));
      let verdict: EndpointVerdict = "nothing";
      try {
        const laterRefusal = enteredAt === undefined ? undefined : refusalOf(request);
        if (laterRefusal !== undefined) return unsent(laterRefusal);
        const timely = enteredAt === undefined ? request : delayed(request, now() - enteredAt);
        const sent = await sendAttempt(timely, options, () => lateWatches.open(traffic, request));
        verdict = sent.verdict;
        return sent.report;
      } finally {
        turn.end(verdict);
      }
    },
  };
}

/** Waiting for its turn costs an attempt nothing of its budget, as far as the execution's time reaches. */
function delayed(request: AttemptRequest, waitedMs: number): AttemptRequest {
  const { deadline, latestDeadline = deadline } = request;
  return { ...request, deadline: Math.min(deadline + waitedMs, latestDeadline) };
}

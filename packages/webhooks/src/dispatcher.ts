import { CANCELLED_UNSENT, QueueFullError, unsentFailure } from "@yagate/calls/failure";
import type { CallContext, ToolOutcome } from "@yagate/calls/port";
import { unsentOutcome } from "@yagate/calls/send-call";
import type { LateWatch } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { DEFAULT_TOOL_TIMEOUT_MS } from "@yagate/protocol";
import type { EndpointVerdict } from "./endpoints/circuit-breaker.ts";
import type { EndpointLimiter, RejectionReason, Slot } from "./endpoints/endpoint-limiter.ts";
import type { Attempt, Dispatcher, DispatcherOptions } from "./port.ts";
import { sendAttempt } from "./send-attempt.ts";
import { renderCall } from "./signed-call.ts";

/**
 * Creates the dispatcher, which sends signed calls. Each attempt waits for a concurrency slot of its endpoint and is
 * signed and sent once. Its response is classified by the table of the wire contract.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { endpoints, now } = options;
  const lateWatches = new LateWatches();

  function refusalOf({ call, webhook, context }: Attempt): Failure | undefined {
    if (endpoints.isDisabled(call.workspaceId, webhook.tool.handler)) {
      return unsentFailure("ENDPOINT_DISABLED", "the tool is disabled because its handler reported that it is gone");
    }
    return context.signal.aborted || context.unsentSignal?.aborted === true ? rejectionFailure("cancelled") : undefined;
  }

  async function execute(attempt: Attempt): Promise<ToolOutcome> {
    const { call, webhook, context } = attempt;
    const arrivedAt = performance.now();
    const unsent = (failure: Failure) => unsentOutcome(failure, performance.now() - arrivedAt);
    const refusal = refusalOf(attempt);
    if (refusal !== undefined) return unsent(refusal);
    const limiter = endpoints.trafficTo(call.workspaceId, webhook.tool.handler);
    const immediate = limiter.enter();
    if (immediate === "queue_full" && limiter.hasQueue && context.isPostponable === true) {
      throw new QueueFullError("expected room in the endpoint's queue");
    }
    const enteredAt = immediate === undefined ? now() : undefined;
    const slot = immediate ?? (await wait(limiter, context));
    if (typeof slot === "string") return unsent(rejectionFailure(slot));
    let verdict: EndpointVerdict = "nothing";
    try {
      const laterRefusal =
        enteredAt === undefined ? undefined : (refusalOf(attempt) ?? (await context.refusalAfterWait?.()));
      if (laterRefusal !== undefined) return unsent(laterRefusal);
      const timely = enteredAt === undefined ? attempt : delayed(attempt, now() - enteredAt);
      const sent = await sendAttempt(timely, options, () => lateWatches.open(limiter, attempt));
      verdict = sent.verdict;
      return sent.outcome;
    } finally {
      slot.end(verdict);
    }
  }

  function wait(limiter: EndpointLimiter, context: CallContext): Promise<Slot | RejectionReason> {
    const { signal, unsentSignal, deadline, latestDeadline = deadline, onQueued } = context;
    const signals = unsentSignal === undefined ? [signal] : [signal, unsentSignal];
    const waiting = limiter.wait({ signals, forMs: latestDeadline - now() });
    if (onQueued === undefined) return waiting;
    onQueued(true);
    return waiting.finally(() => onQueued(false));
  }

  return {
    executorOf: (webhook) => ({
      render: (call) => renderCall(call, webhook),
      execute: (call, context) => execute({ call, webhook, context }),
    }),
  };
}

/**
 * Extends the attempt's deadline by the time that the attempt waited for a slot, but never past the execution's time
 * limit.
 */
function delayed(attempt: Attempt, waitedMs: number): Attempt {
  const { deadline, latestDeadline = deadline } = attempt.context;
  return { ...attempt, context: { ...attempt.context, deadline: Math.min(deadline + waitedMs, latestDeadline) } };
}

/** Returns the failure of an attempt that got no slot. */
function rejectionFailure(reason: RejectionReason): Failure {
  switch (reason) {
    case "circuit_open":
      return unsentFailure("CIRCUIT_OPEN", "the tool's service has been failing; this call was not sent");
    case "queue_full":
      return unsentFailure("RATE_LIMITED", "too many calls are already waiting for the tool's service");
    case "out_of_time":
      return unsentFailure("TIMEOUT", "the time for the call ran out before the tool's service had a free slot");
    case "cancelled":
      return CANCELLED_UNSENT;
  }
}

const MAX_WATCHES = 64;
/** Maximum number of watches per endpoint, so that an endpoint that never responds does not use up all watches. */
const MAX_WATCHES_PER_ENDPOINT = 8;
const MAX_WATCH_MS = 30_000;

/** Watches for late responses. Each watch keeps a connection open, so their number and duration are limited. */
class LateWatches {
  readonly #byEndpoint = new Map<EndpointLimiter, number>();
  #count = 0;

  /**
   * Opens a watch for the late response of an attempt; returns undefined if the attempt needs none or a limit is
   * reached.
   */
  open(endpoint: EndpointLimiter, { webhook, context: { onLateAnswer } }: Attempt): LateWatch | undefined {
    const ofEndpoint = this.#byEndpoint.get(endpoint) ?? 0;
    if (onLateAnswer === undefined || this.#count >= MAX_WATCHES || ofEndpoint >= MAX_WATCHES_PER_ENDPOINT) {
      return undefined;
    }
    this.#change(endpoint, 1);
    return {
      forMs: Math.min(webhook.tool.timeout ?? DEFAULT_TOOL_TIMEOUT_MS, MAX_WATCH_MS),
      onAnswer: ({ status, elapsedMs, responseBytes }) =>
        onLateAnswer({ httpStatus: status, elapsedMs: Math.round(elapsedMs * 100) / 100, responseBytes }),
      onOver: () => this.#change(endpoint, -1),
    };
  }

  #change(endpoint: EndpointLimiter, by: 1 | -1): void {
    const ofEndpoint = (this.#byEndpoint.get(endpoint) ?? 0) + by;
    this.#count += by;
    if (ofEndpoint === 0) this.#byEndpoint.delete(endpoint);
    else this.#byEndpoint.set(endpoint, ofEndpoint);
  }
}

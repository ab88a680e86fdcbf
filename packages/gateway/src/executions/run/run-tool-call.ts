import type { Failure } from "@yagate/execution-machine/call-outcome";
import { callbackTimesOf } from "@yagate/execution-machine/callback";
import type { Effect } from "@yagate/execution-machine/effects";
import { continuationOf } from "@yagate/execution-machine/input-state";
import type { MachineInput } from "@yagate/execution-machine/inputs";
import { resumptionOf } from "@yagate/execution-machine/resumption";
import { type CallState, type ExecutionState, remainingWallMs } from "@yagate/execution-machine/state";
import { toAbortSignal } from "@yagate/lib/async/cancellation";
import { defined } from "@yagate/lib/objects/defined";
import type { AttemptExchange, ExecutionRow } from "@yagate/store/port";
import { LeaseLapsedError } from "../../scheduler/lease.ts";
import { type CallContext, QueueFullError, type Tool, type ToolOutcome } from "../../tools/port.ts";
import type { CallSampling, Sampling } from "../sampling/sampling.ts";
import type { LateInput } from "./late-responses.ts";
import { toToolCall } from "./to-tool-call.ts";

type CallEffect = Extract<Effect, { type: "attempt" | "inline" }>;

export interface ToolCallContext {
  readonly execution: ExecutionRow;
  readonly tool: Tool;
  /**
   * Checks that this process still owns the execution.
   * @throws LeaseLapsedError if another owner may have taken over the execution.
   */
  readonly assertOwned: () => void;
  /**
   * Number of this call in the sequence of the execution's calls to primitives, starting at 1; undefined for a call to
   * another tool.
   */
  readonly primitiveOrdinal: number | undefined;
  /**
   * Waits until this process holds the lease again. Resolves to false if another owner has taken over in the meantime.
   */
  readonly regain: () => Promise<boolean>;
  /**
   * Returns the deadline of an attempt that starts now, and the time at which the execution reaches its time limit, in
   * ms since the epoch.
   */
  readonly deadlines: () => Pick<CallContext, "deadline" | "latestDeadline">;
  readonly signals: Pick<CallContext, "signal" | "unsentSignal">;
  readonly toolLoading: CallContext["toolLoading"];
  readonly sampling: Sampling;
  /**
   * Called with true when the call starts to wait for a concurrency slot of its endpoint, and with false when the wait
   * ends.
   */
  readonly onQueued: (isQueued: boolean) => void;
  /** Called when a response arrives after the attempt was reported. */
  readonly onLate: (input: LateInput) => void;
  /** Called with each input for the machine that precedes the outcome of the call. */
  readonly onProgress: (input: MachineInput) => void;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Returns the deadline of an attempt that starts now, and the time at which the execution reaches its time limit, in ms
 * since the epoch.
 *
 * @param now - current time in ms since the epoch.
 */
export function deadlinesOf(state: ExecutionState, timeoutMs: number, now: number) {
  const remainingMs = remainingWallMs(state, now);
  return { deadline: now + Math.min(timeoutMs, remainingMs), latestDeadline: now + remainingMs };
}

/** The outcome of a call: the input for the machine, and the messages that were exchanged. */
export interface ToolCallReport {
  readonly input: MachineInput;
  readonly exchange?: AttemptExchange;
}

/**
 * Runs one attempt, or a complete call that runs inside the gateway. Returns undefined if another owner has taken over.
 *
 * @throws QueueFullError if the attempt was not sent and must be tried again later.
 */
export async function runToolCall(effect: CallEffect, context: ToolCallContext): Promise<ToolCallReport | undefined> {
  if (effect.type === "inline") return runInline(effect, context);
  const outcome = await executeUnderLease(effect, context);
  if (outcome === undefined) return undefined;
  const { exchange } = outcome;
  const input: MachineInput = {
    type: "attempt_finished",
    toolCallId: effect.call.id,
    attemptId: effect.key,
    outcome: outcome.answer,
    durationMs: exchange?.durationMs ?? 0,
    timings: exchange?.timings ?? { dns: null, connect: null, tls: null, firstByte: null },
    requestBytes: exchange?.requestBytes ?? 0,
    responseBytes: exchange?.responseBytes ?? 0,
    cost: outcome.cost,
    ...(exchange?.url === undefined ? {} : { url: exchange.url }),
    ...(exchange?.httpStatus === undefined ? {} : { httpStatus: exchange.httpStatus }),
  };
  if (exchange === undefined) return { input };
  return { input, exchange: { attemptId: effect.key, request: exchange.request, response: exchange.response } };
}

/** Runs a complete call inside the gateway. Only tools of this kind may use the model. */
async function runInline(effect: CallEffect, context: ToolCallContext): Promise<ToolCallReport | undefined> {
  const { id: toolCallId } = effect.call;
  const { deadline } = context.deadlines();
  const signal = toAbortSignal(context.signals.signal);
  const sampling = context.sampling.open(toolCallId, { deadline, signal });
  try {
    const outcome = await executeUnderLease(effect, context, sampling.askModel);
    if (outcome === undefined) return undefined;
    const { answer, cost } = outcome;
    if (!("result" in answer || "failure" in answer))
      throw new Error("expected a result or a failure of a tool that runs inside the gateway");
    sampling.end();
    return { input: { type: "inline_finished", toolCallId, outcome: answer, cost, modelCalls: sampling.modelCalls() } };
  } finally {
    sampling.end();
  }
}

async function executeUnderLease(
  effect: CallEffect,
  context: ToolCallContext,
  askModel?: CallSampling["askModel"],
): Promise<ToolOutcome | undefined> {
  const { execution, tool, assertOwned, signals, onQueued, onLate } = context;
  const { id: toolCallId, name, parameters, leakedSecrets, approval, cost } = effect.call;
  const { primitiveOrdinal } = context;
  const isPaid = cost.credits > 0;
  const attempt = effect.type === "attempt" ? effect.number : 1;
  const refusal = refuseUnlessAllowed(tool, effect.call);
  if (refusal !== undefined) return { answer: { failure: refusal }, cost: { usd: 0, credits: 0 } };
  for (;;) {
    try {
      return await tool.executor.execute(
        toToolCall(execution, {
          ...{ toolCallId, name, parameters, attempt, primitiveOrdinal, isPaid, leakedSecrets },
          continuation: continuationOf(effect.call),
          resumption: resumptionOf(effect.call),
        }),
        {
          ...context.deadlines(),
          beforeSend: assertOwned,
          onQueued,
          isPostponable: effect.type === "attempt",
          onLateAnswer: (late) => onLate({ type: "attempt_late", toolCallId, attemptId: effect.key, ...late }),
          onResumable: (resumption) =>
            context.onProgress({ type: "attempt_resumable", toolCallId, attemptId: effect.key, resumption }),
          ...signals,
          ...defined({ approvedHash: approval?.requestHash, askModel, toolLoading: context.toolLoading }),
          ...defined({ callback: callbackTimesOf(effect.call) }),
        },
      );
    } catch (error) {
      if (error instanceof QueueFullError) throw error;
      if (!(error instanceof LeaseLapsedError)) {
        context.onDefect(error);
        return { answer: { failure: DEFECT }, cost: { usd: 0, credits: 0 } };
      }
      // Nothing was sent, so the call may be sent once this process holds the lease again, unless another owner has
      // taken over in between.
      if (!(await context.regain())) return undefined;
    }
  }
}

/**
 * Checks the policy again immediately before the call runs, because days may have passed since the model requested it.
 */
function refuseUnlessAllowed({ policyDecision }: Tool, { approval }: CallState): Failure | undefined {
  const isApproved = approval?.status === "approved";
  if (policyDecision.decision === "allowed" && (approval === null || isApproved)) return undefined;
  if (policyDecision.decision === "approval_required" && isApproved) return undefined;
  const words = `the call may not run: ${policyDecision.reason}`;
  return { code: "POLICY_DENIED", message: words, source: "gateway", isRetryable: false, outcome: "none" };
}

const DEFECT: Failure = {
  code: "INTERNAL",
  message: "the call failed because of an internal error of the gateway",
  source: "gateway",
  isRetryable: false,
  // An internal error proves nothing about what was sent before it.
  outcome: "unknown",
};

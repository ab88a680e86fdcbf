import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { AttemptExchange, ExecutionRow } from "../journal/port.ts";
import type { Lease } from "../scheduler/lease.ts";
import { LeaseLapsedError } from "../scheduler/lease.ts";
import type { CallContext, Tool, ToolOutcome } from "../tools/port.ts";
import type { LateInput } from "./late-answers.ts";
import type { Effect } from "./machine/effects.ts";
import type { Failure, MachineInput } from "./machine/inputs.ts";

type CallEffect = Extract<Effect, { type: "attempt" | "inline" }>;

export interface ToolCallContext {
  readonly execution: ExecutionRow;
  readonly tool: Tool;
  readonly lease: Lease;
  /** Waits until the lease is held again; false when the journal knows another owner by then. */
  readonly regain: () => Promise<boolean>;
  /** Of one attempt that begins now, and of the execution; ms since the epoch. */
  readonly deadlines: () => Pick<CallContext, "deadline" | "latestDeadline">;
  readonly signals: Pick<CallContext, "signal" | "unsentSignal">;
  /** An answer came after the attempt was reported. */
  readonly onLate: (input: LateInput) => void;
  readonly onDefect: (error: unknown) => void;
}

/** What came of a call: the report for the machine, and what went over the network. */
export interface ToolCallReport {
  readonly input: MachineInput;
  readonly exchange?: AttemptExchange;
}

/** Runs one attempt, or the whole of a call that runs inside the gateway. Undefined: another owner has taken over. */
export async function runToolCall(effect: CallEffect, context: ToolCallContext): Promise<ToolCallReport | undefined> {
  const outcome = await executeUnderLease(effect, context);
  if (outcome === undefined) return undefined;
  if (effect.type === "inline") {
    const { answer, cost } = outcome;
    return { input: { type: "inline_finished", toolCallId: effect.call.id, answer, cost } };
  }
  const { exchange } = outcome;
  const input: MachineInput = {
    type: "attempt_finished",
    toolCallId: effect.call.id,
    attemptId: effect.key,
    answer: outcome.answer,
    durationMs: exchange?.durationMs ?? 0,
    timings: exchange?.timings ?? { dns: null, connect: null, tls: null, firstByte: null },
    requestBytes: exchange?.requestBytes ?? 0,
    responseBytes: exchange?.responseBytes ?? 0,
    cost: outcome.cost,
    ...(exchange?.httpStatus === undefined ? {} : { httpStatus: exchange.httpStatus }),
  };
  if (exchange === undefined) return { input };
  return { input, exchange: { attemptId: effect.key, request: exchange.request, response: exchange.response } };
}

async function executeUnderLease(effect: CallEffect, context: ToolCallContext): Promise<ToolOutcome | undefined> {
  const { execution, tool, lease, signals, onLate } = context;
  const { caller } = execution.request;
  for (;;) {
    try {
      return await tool.executor.execute(
        {
          workspaceId: execution.workspaceId,
          agentId: execution.agentId,
          executionId: execution.id,
          toolCallId: effect.call.id,
          name: effect.call.name,
          parameters: toObject(effect.call.parameters),
          attempt: effect.type === "attempt" ? effect.number : 1,
          ...(caller === undefined ? {} : { caller }),
          ...(execution.trace === undefined ? {} : { trace: execution.trace }),
        },
        {
          ...context.deadlines(),
          ...signals,
          beforeSend: lease.assertHeld,
          onLateAnswer: (late) =>
            onLate({ type: "attempt_late", toolCallId: effect.call.id, attemptId: effect.key, ...late }),
        },
      );
    } catch (error) {
      if (!(error instanceof LeaseLapsedError)) {
        context.onDefect(error);
        return { answer: { failure: DEFECT }, cost: { usd: 0, credits: 0 } };
      }
      // Nothing has left, so it may be sent once the lease is ours again, unless somebody took over in between.
      if (!(await context.regain())) return undefined;
    }
  }
}

const DEFECT: Failure = {
  code: "INTERNAL",
  message: "the call failed for a reason inside the gateway",
  source: "gateway",
  isRetryable: false,
  // A defect proves nothing about what was sent before it.
  outcome: "unknown",
};

function toObject(parameters: JsonValue): JsonObject {
  return typeof parameters === "object" && parameters !== null && !Array.isArray(parameters) ? parameters : {};
}

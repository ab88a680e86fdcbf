import type { TaskProgress, TaskRequest } from "@yagate/calls/port";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { Effect } from "@yagate/execution-machine/effects";
import { isWaitingForInput } from "@yagate/execution-machine/state";
import { ASKING_INTERVAL_MS } from "@yagate/execution-machine/task-state";
import type { CancelSignal } from "@yagate/lib/async/cancellation";
import { defined } from "@yagate/lib/objects/defined";
import { MAX_INPUT_ROUNDS } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import { LeaseLapsedError } from "../../scheduler/lease.ts";
import type { Tool } from "../../tools/port.ts";
import { toToolCall } from "./to-tool-call.ts";

type TaskEffect = Extract<Effect, { type: "task" }>;

export interface TaskContext {
  readonly execution: ExecutionRow;
  /** The tool of the call; undefined if this gateway no longer has it. */
  readonly tool: Tool | undefined;
  readonly signal: CancelSignal;
  /**
   * Checks that this process still owns the execution.
   * @throws LeaseLapsedError if another owner may have taken over the execution.
   */
  readonly assertOwned: () => void;
  /**
   * Waits until this process holds the lease again. Resolves to false if another owner has taken over in the meantime.
   */
  readonly regain: () => Promise<boolean>;
  readonly onDefect: (error: unknown) => void;
}

/** Polls the task of a call once. Returns undefined if another owner has taken over. */
export async function followTask(effect: TaskEffect, context: TaskContext): Promise<TaskProgress | undefined> {
  const { execution, tool, signal, assertOwned } = context;
  const { id: toolCallId, name, parameters } = effect.call;
  const follow = tool?.executor.followTask;
  if (follow === undefined) return { outcome: { failure: DEFECT } };
  const call = toToolCall(execution, { toolCallId, name, parameters });
  for (;;) {
    try {
      return await follow(call, toRequest(effect), { signal, beforeSend: assertOwned });
    } catch (error) {
      if (!(error instanceof LeaseLapsedError)) {
        context.onDefect(error);
        return { outcome: { failure: DEFECT } };
      }
      if (!(await context.regain())) return undefined;
    }
  }
}

function toRequest({ task, step, call }: TaskEffect): TaskRequest {
  const { input } = call;
  const { id, createdAt, expiresAt, ttlMs, pollIntervalMs, askedKeys } = task;
  const answers = step === "deliver" && input !== null ? { round: input.round, byKey: input.answers ?? {} } : undefined;
  const mayAsk = (input?.round ?? 0) < MAX_INPUT_ROUNDS;
  const openQuestion = isWaitingForInput(call) ? { leastDelayMs: ASKING_INTERVAL_MS } : undefined;
  const times = { createdAt, expiresAt, ttlMs, pollIntervalMs };
  return { id, step, ...times, askedKeys, mayAsk, ...defined({ openQuestion, answers }) };
}

const DEFECT: Failure = {
  code: "INTERNAL",
  message: "the task of the call could not be followed because of an internal error of the gateway",
  source: "gateway",
  isRetryable: false,
  outcome: "unknown",
};

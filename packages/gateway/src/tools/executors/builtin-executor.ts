import { createHash } from "node:crypto";
import type { BuiltinOutcome, BuiltinTool } from "@yagate/builtins/builtin-tool";
import type { CallContext, ToolCall, ToolExecutor, ToolOutcome } from "@yagate/calls/port";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import { type Cost, ERROR_TABLE, jsonValueSchema } from "@yagate/protocol";

export interface BuiltinExecutorOptions {
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /** Called with each error that a tool throws, so that it can be logged. A tool that throws has a defect. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Creates the executor for a tool that runs inside the gateway. The executor ends each call at its deadline, even if
 * the tool is still running.
 */
export function createBuiltinExecutor(tool: BuiltinTool, options: BuiltinExecutorOptions): ToolExecutor {
  return {
    render: async (call) => ({ request: null, hash: hashOfCall(tool, call) }),
    async execute(call, context) {
      const { approvedHash } = context;
      if (approvedHash !== undefined && approvedHash !== hashOfCall(tool, call)) {
        return { answer: { failure: NOT_AS_APPROVED }, cost: FREE };
      }
      // A tool inside the process sends nothing. For a network tool, this is the last point at which the gateway knows
      // that nothing has been sent.
      if (tool.kind === "network") context.beforeSend();
      return answerInTime(tool, call, context, options);
    },
  };
}

async function answerInTime(
  tool: BuiltinTool,
  call: ToolCall,
  { deadline, signal, askModel }: CallContext,
  { now, onError }: BuiltinExecutorOptions,
): Promise<ToolOutcome> {
  const limitMs = Math.max(0, deadline - now());
  if (signal.aborted) return { answer: { failure: CANCELLED }, cost: FREE };
  const controller = new AbortController();
  let costSoFar: () => Cost = () => FREE;
  const failed = (why: Failure): ToolOutcome => ({ answer: { failure: why }, cost: costSoFar() });
  const onSpending = (tell: () => Cost) => {
    costSoFar = tell;
  };
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  const ended = new Promise<ToolOutcome>((resolve) => {
    timer = setTimeout(() => resolve(failed(timedOut(tool, limitMs))), limitMs);
    cancel = () => resolve(failed(CANCELLED));
    signal.addEventListener("abort", cancel, { once: true });
  });
  try {
    const { workspaceId, executionId, toolCallId } = call;
    const asking = askModel === undefined ? {} : { askModel };
    const own = {
      now,
      signal: controller.signal,
      deadline,
      workspaceId,
      executionId,
      toolCallId,
      onSpending,
      ...asking,
    };
    const answered = tool.execute(call.parameters, own).then(toOutcome);
    return await Promise.race([answered, ended]);
  } catch (error) {
    onError?.(error);
    return failed(failure("INTERNAL", `${tool.name} failed for a reason inside the gateway`));
  } finally {
    clearTimeout(timer);
    if (cancel !== undefined) signal.removeEventListener("abort", cancel);
    controller.abort();
  }
}

function toOutcome(outcome: BuiltinOutcome): ToolOutcome {
  return { answer: toAnswer(outcome), cost: outcome.cost ?? FREE };
}

function toAnswer(outcome: BuiltinOutcome): ToolOutcome["answer"] {
  if ("result" in outcome) return { result: jsonValueSchema.parse(outcome.result) };
  const { code, message, hint, retryable = ERROR_TABLE[code].isRetryable } = outcome.error;
  return { failure: { ...failure(code, message), isRetryable: retryable, ...defined({ hint }) } };
}

function timedOut({ name }: BuiltinTool, limitMs: number): Failure {
  return failure("TIMEOUT", `${name} did not finish within ${limitMs} ms`);
}

/** Creates a failure. Built-in tools change nothing outside the gateway, so a failed one had no effect. */
function failure(code: keyof typeof ERROR_TABLE, message: string): Failure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, outcome: "none" };
}

/** Returns the hash of a call. The tool's parameters serve as its version. */
function hashOfCall({ name, parameters: schema }: BuiltinTool, { toolCallId, parameters }: ToolCall): string {
  const call = JSON.stringify([name, schema, toolCallId, parameters]);
  return `sha256:${createHash("sha256").update(call).digest("hex")}`;
}

const FREE: Cost = { usd: 0, credits: 0 };
const NOT_AS_APPROVED = failure("POLICY_DENIED", "the call differs from the one that was approved; nothing ran");
const CANCELLED = failure("CANCELLED", "the call was cancelled before the tool responded");

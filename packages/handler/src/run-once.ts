import type { ToolCall } from "@yagate/protocol/calls";
import type { CallBudget } from "./call-budget.ts";
import { fingerprintOf } from "./idempotency/fingerprint.ts";
import type { CallOutcome } from "./idempotency/store.ts";
import { kitErrorOutcome } from "./outcomes.ts";
import { type RunEnd, runTool } from "./run-tool.ts";
import type { Settings } from "./settings.ts";
import { type Arrival, RunContext } from "./tool-context.ts";

/**
 * Responds to a call with a stored response, with the outcome of the run in flight, or by running the call.
 *
 * A call that arrives while a run is in flight waits for it and gets its outcome, with one exception: if the call is a
 * later attempt than that run and the run is released without a final outcome, the call runs again.
 */
export async function runOnce(call: ToolCall, arrival: Arrival, settings: Settings): Promise<CallOutcome> {
  const { store, toleranceSeconds } = settings;
  const fingerprint = await fingerprintOf(call);
  // How long after the call was sent a replay can pass the age check.
  const keepForMs = 2 * toleranceSeconds * 1000;
  for (;;) {
    const lapsesAfterMs = arrival.budget.remainingMs();
    if (lapsesAfterMs <= 0) return outOfTime(call);
    const claim = await store.claim({ key: call.toolCallId, fingerprint, lapsesAfterMs, keepForMs });
    if (claim.state === "claimed") return await runClaimed(call, claim.holder, arrival, settings);
    if (claim.state === "finished") return claim.outcome;
    if (claim.state === "conflict") {
      return kitErrorOutcome(
        call,
        "CALL_CONFLICT",
        "this toolCallId was already used with another name or other parameters",
      );
    }
    const joined = await join(call, arrival, settings);
    if (joined !== undefined) return joined;
  }
}

/** Waits for the run in flight. Returns undefined if the call must be claimed again. */
async function join(
  call: ToolCall,
  { budget, request }: Arrival,
  { store }: Settings,
): Promise<CallOutcome | undefined> {
  const waiting = new AbortController();
  const { signal } = request;
  const stop = () => waiting.abort();
  const cancel = budget.onEnd(stop);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const outcome = await store.wait(call.toolCallId, waiting.signal);
    if (outcome !== undefined && outcome.attempt >= call.attempt) return outcome;
    return waiting.signal.aborted ? outOfTime(call) : undefined;
  } finally {
    cancel();
    signal?.removeEventListener("abort", stop);
  }
}

async function runClaimed(call: ToolCall, holder: string, arrival: Arrival, settings: Settings): Promise<CallOutcome> {
  const tool = settings.tools.get(call.name);
  if (tool !== undefined) void settings.aids?.checkSchemaDrift(tool, call);
  const context = new RunContext(call, arrival, settings.logger);
  const run = runTool(tool, call, context, settings.aids !== undefined);
  const end = await beforeEnd(run, arrival.budget);
  if (end !== undefined) {
    await record(call, holder, end, settings);
    return end.outcome;
  }
  const outcome = outOfTime(call);
  context.endTime();
  await record(call, holder, { outcome, isFinal: false }, settings);
  // If the run continues and succeeds, the next attempt does not need to run the tool again.
  void run.then((late) => (late.isFinal ? record(call, holder, late, settings) : undefined));
  return outcome;
}

/** Resolves with the end of the run, or with undefined if the deadline is reached first. */
function beforeEnd(run: Promise<RunEnd>, budget: CallBudget): Promise<RunEnd | undefined> {
  return new Promise((resolve) => {
    const cancel = budget.onEnd(() => resolve(undefined));
    void run.then((end) => {
      cancel();
      resolve(end);
    });
  });
}

async function record(call: ToolCall, holder: string, end: RunEnd, { store, logger }: Settings): Promise<void> {
  try {
    if (end.isFinal) await store.complete(call.toolCallId, holder, end.outcome);
    else await store.release(call.toolCallId, holder, end.outcome);
  } catch (error) {
    // The tool has run, so its response still counts. The claim lapses at the deadline.
    logger.error("the idempotency store failed", { toolCallId: call.toolCallId, error });
  }
}

function outOfTime(call: ToolCall): CallOutcome {
  return kitErrorOutcome(call, "TIMEOUT", "the tool did not finish within the call's time limit", {
    // The tool may still be running. The gateway's own timeout decides whether a retry is safe.
    retryable: false,
    hint: "the call may still take effect: check before you repeat it",
  });
}

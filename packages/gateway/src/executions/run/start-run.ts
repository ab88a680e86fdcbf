import { setTimeout as sleep } from "node:timers/promises";
import type { CallIdKind } from "@yagate/lib/ids/call-ids";
import { defined } from "@yagate/lib/objects/defined";
import { type ExecutionEvent, hasEnded, YagateError } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { AppendOutcome, EventStore, ExecutionRow } from "@yagate/store/port";
import type { ScheduledRun, StartRun } from "../../scheduler/port.ts";
import { recordedRunOf } from "../recording/recorded-run.ts";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { toExecutionConfig, type WaitTimes } from "./execution-config-of.ts";
import { ExecutionRun } from "./execution-run.ts";
import type { LoadAgent, LoadedAgent } from "./loaded-agents.ts";
import { createNextCapability, createTurnRoutes } from "./route-turns.ts";
import { type RunDependencies, RunStop } from "./run-dependencies.ts";

const LOAD_RETRY_MS = 1_000;

export interface StartRunOptions extends RunDependencies, WaitTimes {
  readonly loadAgent: LoadAgent;
}

/** Creates the function that starts or resumes an execution in this process. */
export function createStartRun(options: StartRunOptions): StartRun {
  const { loadAgent, approvalExpiryMs, callbackExpiryMs, isCircuitOpen } = options;
  return (execution, isRecovered, onActivity) => {
    // Each id that another owner has recorded is in an event of its own.
    let lastOrdinal = execution.lastSeq;
    const newCallId = (kind: CallIdKind) => {
      lastOrdinal += 1;
      return options.newCallId(kind, execution.id, lastOrdinal);
    };
    const make = (loaded: LoadedAgent) => {
      const recorded = recordedRunOf(execution);
      const nextCapability = createNextCapability({ ...loaded, ...execution, isCircuitOpen });
      return new ExecutionRun(options, {
        execution,
        agent: loaded.agent,
        toolset: loaded.toolset,
        config: toExecutionConfig(execution, {
          ...loaded,
          approvalExpiryMs,
          callbackExpiryMs,
          recorded,
          nextCapability,
        }),
        ...defined({ recorded, decideRoute: createTurnRoutes({ ...loaded, ...execution, isCircuitOpen }) }),
        isRecovered,
        newCallId,
        onActivity,
      });
    };
    const { eventStore, now } = options;
    const onError = (error: unknown) => options.onError(error, execution.id);
    return new LoadingRun({
      load: () => loadAgent(execution),
      make,
      onError,
      onActivity,
      onDefect: (signal, error) =>
        failUnloadableExecution(execution, { eventStore, now, signal, error, onRefusal: onError }),
    });
  };
}

interface LoadingRunOptions {
  readonly load: () => Promise<LoadedAgent>;
  readonly make: (agent: LoadedAgent) => ScheduledRun;
  readonly onError: (error: unknown) => void;
  readonly onActivity: () => void;
  /**
   * Ends the execution, because no run could ever advance it. If `signal` is aborted, another owner ends it instead.
   *
   * @param error - the reason that the execution's record may contain; undefined for an internal error.
   */
  readonly onDefect: (signal: AbortSignal, error?: YagateError) => Promise<void>;
}

/** A run that can be drained or aborted while its agent is still being loaded. */
class LoadingRun implements ScheduledRun {
  readonly done: Promise<void>;
  #run: ScheduledRun | undefined;
  readonly #stop = new RunStop();

  constructor(options: LoadingRunOptions) {
    this.done = this.#start(options);
  }

  get isWaiting(): boolean {
    return this.#run?.isWaiting ?? false;
  }

  get isQueued(): boolean {
    return this.#run?.isQueued ?? false;
  }

  drain(): void {
    this.#stop.request();
    this.#run?.drain();
  }

  abort(): void {
    this.#stop.request();
    this.#run?.abort();
  }

  async #start({ load, make, onError, onActivity, onDefect }: LoadingRunOptions): Promise<void> {
    const stop = this.#stop;
    while (!stop.isRequested) {
      try {
        const run = make(await load());
        if (stop.isRequested) run.drain();
        this.#run = run;
        // The run may have started to wait before this object could report it.
        if (run.isWaiting) onActivity();
        return await run.done;
      } catch (error) {
        if (isRefusal(error)) return onDefect(stop.signal, error);
        onError(error);
        // The next owner continues the execution.
        if (stop.isRequested) return;
        // An unavailable store must not end the execution; any other error is a defect.
        if (!YagateError.is(error) || error.code !== "UNAVAILABLE" || this.#run !== undefined)
          return onDefect(stop.signal);
        await sleep(LOAD_RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }
}

/** Whether an error says why the execution cannot start, instead of being a defect. */
function isRefusal(error: unknown): error is YagateError {
  return YagateError.is(error) && error.code === "TOO_MANY_TOOLS";
}

interface FailUnloadableOptions {
  readonly eventStore: Pick<EventStore, "find" | "append">;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  /** Aborted when another owner should end the execution. */
  readonly signal: AbortSignal;
  /** Why the execution fails; default: because of an internal error. */
  readonly error?: Pick<YagateError, "code" | "message"> | undefined;
  /** Called each time the store is unavailable. */
  readonly onRefusal: (error: unknown) => void;
}

const INTERNAL = { code: "INTERNAL", message: "the execution failed because of an internal error" } as const;

/**
 * Ends an execution that can't be advanced because of an internal error, such as a log that can't be folded. It reads
 * only the execution's row, so that a broken log can't keep the execution alive forever. For the same reason it retries
 * until the failure is recorded, or until the execution has ended or has another owner.
 */
async function failUnloadableExecution(execution: ExecutionRow, options: FailUnloadableOptions): Promise<void> {
  const { signal, onRefusal } = options;
  for (;;) {
    const outcome = await retryWhileUnavailable(() => appendFailure(execution, options), {
      signal: () => signal,
      onRefusal,
    });
    // A command was appended first, so try again.
    if (outcome !== "behind" || signal.aborted) return;
  }
}

/** Appends the failure; returns undefined if there is nothing left to end. */
async function appendFailure(
  { id, workspaceId, epoch }: ExecutionRow,
  { eventStore, now, error: reason = INTERNAL }: FailUnloadableOptions,
): Promise<AppendOutcome | undefined> {
  const row = await eventStore.find(id, workspaceId);
  if (row === undefined || hasEnded(row.status) || row.epoch !== epoch) return undefined;
  const error = { code: reason.code, message: reason.message };
  const { usage, cost, startedAt, lastSeq } = row;
  const at = now();
  const event: ExecutionEvent = {
    type: "execution.failed",
    seq: lastSeq + 1,
    at: new Date(at).toISOString(),
    executionId: id,
    error,
    usage,
    cost,
  };
  return appendTo(eventStore, {
    executionId: id,
    expectedSeq: lastSeq,
    epoch,
    entries: [{ event }],
    summary: { status: "failed", stopReason: "error", output: null, error, usage, cost, startedAt, finishedAt: at },
  });
}

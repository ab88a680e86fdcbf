import { setTimeout as sleep } from "node:timers/promises";
import type { CallIdKind } from "@yagate/lib/ids/call-ids";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { ScheduledRun, StartRun } from "../../scheduler/port.ts";
import { recordedRunOf } from "../recording/recorded-run.ts";
import { toExecutionConfig, type WaitTimes } from "./execution-config-of.ts";
import { ExecutionRun } from "./execution-run.ts";
import { failUnloadableExecution } from "./fail-unloadable-execution.ts";
import type { LoadAgent, LoadedAgent } from "./loaded-agents.ts";
import { createNextCapability } from "./next-capability.ts";
import { createTurnRoutes } from "./route-turns.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import { RunStop } from "./run-dependencies.ts";

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

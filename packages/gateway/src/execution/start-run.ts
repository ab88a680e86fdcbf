import { YagateError } from "@yagate/protocol";
import type { ScheduledRun, StartRun } from "../scheduler/port.ts";
import { ExecutionRun, type RunDependencies } from "./execution-run.ts";
import { failDefective } from "./fail-defective.ts";
import type { LoadAgent, LoadedAgent } from "./loaded-agents.ts";
import { type Patience, toPlan } from "./plan-of.ts";

const LOAD_RETRY_MS = 1_000;

export interface StartRunOptions extends RunDependencies, Patience {
  readonly loadAgent: LoadAgent;
}

/** Makes the function that starts to advance an execution by its version of the agent. */
export function createStartRun(options: StartRunOptions): StartRun {
  const { loadAgent, approvalExpiryMs, callbackExpiryMs } = options;
  return (execution, isRecovered, onWaitingChange) => {
    const make = ({ agent, toolset }: LoadedAgent) =>
      new ExecutionRun(options, {
        execution,
        agent,
        toolset,
        plan: toPlan(execution, { agent, toolset, approvalExpiryMs, callbackExpiryMs }),
        isRecovered,
        onWaitingChange,
      });
    return new LoadingRun({
      load: () => loadAgent(execution).then(make),
      onError: (error) => options.onError(error, execution.id),
      onDefect: () => failDefective(options.journal, execution, options.now()),
    });
  };
}

interface LoadingRunOptions {
  readonly load: () => Promise<ScheduledRun>;
  readonly onError: (error: unknown) => void;
  /** Ends the execution, which nobody could ever advance. */
  readonly onDefect: () => Promise<void>;
}

/** A run whose agent is still being read. */
class LoadingRun implements ScheduledRun {
  readonly done: Promise<void>;
  #run: ScheduledRun | undefined;
  #isStopped = false;

  constructor(options: LoadingRunOptions) {
    this.done = this.#start(options);
  }

  get isWaiting(): boolean {
    return this.#run?.isWaiting ?? false;
  }

  suspend(): void {
    this.#isStopped = true;
    this.#run?.suspend();
  }

  abort(): void {
    this.#isStopped = true;
    this.#run?.abort();
  }

  async #start({ load, onError, onDefect }: LoadingRunOptions): Promise<void> {
    while (!this.#isStopped) {
      try {
        const run = await load();
        if (this.#isStopped) run.suspend();
        this.#run = run;
        return await run.done;
      } catch (error) {
        onError(error);
        // Whoever starts next goes on with it.
        if (this.#isStopped) return;
        // A store that refuses for a while must not lose the execution; anything else is a defect.
        if (!YagateError.is(error) || error.code !== "UNAVAILABLE" || this.#run !== undefined) return onDefect();
        await new Promise((resolve) => setTimeout(resolve, LOAD_RETRY_MS));
      }
    }
  }
}

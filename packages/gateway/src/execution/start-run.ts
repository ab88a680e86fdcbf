import { type Agent, YagateError } from "@yagate/protocol";
import type { AgentStore, ExecutionRow } from "../journal/port.ts";
import type { ScheduledRun, StartRun } from "../scheduler/port.ts";
import type { Toolset } from "../tools/port.ts";
import { ExecutionRun, type RunDependencies } from "./execution-run.ts";
import { failDefective } from "./fail-defective.ts";
import { toPlan } from "./plan-of.ts";

/** Agent versions kept in memory: they never change, and most executions are of a few. */
const KEPT_VERSIONS = 500;
const LOAD_RETRY_MS = 1_000;

export interface StartRunOptions extends RunDependencies {
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly toolsets: { forAgent(agent: Agent): Promise<Toolset> };
}

interface LoadedAgent {
  readonly agent: Agent;
  readonly toolset: Toolset;
}

/** Makes the function that starts to advance an execution by its version of the agent. */
export function createStartRun(options: StartRunOptions): StartRun {
  const kept = new Map<string, Promise<LoadedAgent>>();

  async function load({ agentId, agentVersion }: ExecutionRow): Promise<LoadedAgent> {
    const row = await options.agents.findVersion(agentId, agentVersion);
    if (row === undefined) throw new Error("expected the agent version that the execution was started with");
    return { agent: row.agent, toolset: await options.toolsets.forAgent(row.agent) };
  }

  function loaded(execution: ExecutionRow): Promise<LoadedAgent> {
    const key = `${execution.agentId}:${execution.agentVersion}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const loading = load(execution);
    loading.catch(() => kept.delete(key));
    kept.set(key, loading);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_VERSIONS && oldest !== undefined) kept.delete(oldest);
    return loading;
  }

  return (execution, isRecovered, onWaitingChange) => {
    const make = ({ agent, toolset }: LoadedAgent) =>
      new ExecutionRun(options, {
        execution,
        agent,
        toolset,
        plan: toPlan(execution, agent, toolset),
        isRecovered,
        onWaitingChange,
      });
    return new LoadingRun({
      load: () => loaded(execution).then(make),
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

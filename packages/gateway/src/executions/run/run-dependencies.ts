import type { ExecutionConfig, MachineEnvironment } from "@yagate/execution-machine/execution-config";
import type { CallIdKind, NewCallId } from "@yagate/lib/ids/call-ids";
import type { Models, UnreachableProvider } from "@yagate/models/port";
import type { Agent } from "@yagate/protocol";
import type { EventStore, ExecutionRow } from "@yagate/store/port";
import type { Lease } from "../../scheduler/lease.ts";
import type { Toolset } from "../../tools/port.ts";
import type { RecordedRun } from "../recording/recorded-run.ts";
import type { TextDeltas } from "../streams/text-deltas.ts";
import type { IsCircuitOpen } from "./route-turns.ts";

export interface RunDependencies {
  readonly eventStore: EventStore;
  readonly models: Models;
  readonly lease: Lease;
  readonly deltas: TextDeltas;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  readonly random: () => number;
  readonly newId: (kind: "approval") => string;
  readonly newCallId: NewCallId;
  /** Returns 128 random bits in hex. */
  readonly newFrameNonce: () => string;
  readonly isCircuitOpen: IsCircuitOpen;
  /** Logs an unexpected error. */
  readonly onError: (error: unknown, executionId: string) => void;
  /** Logs that a provider could not be reached. Called once per model turn, however often the turn fails. */
  readonly onUnreachable?: (unreachable: UnreachableProvider, executionId: string) => void;
}

/** The execution of a run, with its agent, tools and configuration. They stay the same as long as the run exists. */
export interface RunSubject {
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  readonly config: ExecutionConfig;
  /** Decides which capabilities serve the agent's intents; absent if it has none. */
  readonly decideRoute?: MachineEnvironment["decideRoute"];
  /** Absent if nothing is recorded. */
  readonly recorded?: RecordedRun;
  /** Generates ids that sort after those that the run generated before. */
  readonly newCallId: (kind: CallIdKind) => string;
  /** Whether another owner ran the execution before. */
  readonly isRecovered: boolean;
  /** Called when `isWaiting` or `isQueued` of the run may have changed. */
  readonly onActivity: () => void;
}

// One reason for all aborts: an abort without a reason creates a DOMException with a stack trace that no code reads.
export const ABORTED = new Error("the execution no longer waits for this effect");

/**
 * Tells the work of a run to stop. Its signal exists only if some work requests it, which most runs never do: an
 * `AbortController` costs more than a flag.
 */
export class RunStop {
  #isRequested = false;
  #controller: AbortController | undefined;

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Aborted when the stop is requested. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isRequested) this.#controller.abort(ABORTED);
    return this.#controller.signal;
  }

  request(): void {
    this.#isRequested = true;
    this.#controller?.abort(ABORTED);
  }
}

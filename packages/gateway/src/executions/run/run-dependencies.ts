import type { Models, UnreachableProvider } from "@yagate/models/port";
import type { Agent } from "@yagate/protocol";
import type { EventStore, ExecutionRow } from "@yagate/store/port";
import type { Lease } from "../../scheduler/lease.ts";
import type { Toolset } from "../../tools/port.ts";
import type { ExecutionConfig } from "../machine/execution-config.ts";
import type { TextDeltas } from "../streams/text-deltas.ts";

export interface RunDependencies {
  readonly eventStore: EventStore;
  readonly models: Models;
  readonly lease: Lease;
  readonly deltas: TextDeltas;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly random: () => number;
  readonly newId: (kind: "toolCall" | "attempt" | "approval") => string;
  /** 128 bits of chance in hex. */
  readonly newFrameNonce: () => string;
  /** Something that should not happen: for the log. */
  readonly onError: (error: unknown, executionId: string) => void;
  /** A provider of the gateway's own could not be reached: for the log. Called once a model turn, however often it fails. */
  readonly onUnreachable?: (unreachable: UnreachableProvider, executionId: string) => void;
}

/** What the run works on, fixed for its life. */
export interface RunSubject {
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  readonly config: ExecutionConfig;
  /** Another owner was here before. */
  readonly isRecovered: boolean;
  readonly onActivity: () => void;
}

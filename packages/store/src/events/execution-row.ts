import type { TraceContext } from "@yagate/lib/http/trace-context";
import type { Cost, Execution, ExecutionRequest, ExecutionStatus, Source, StopReason, Usage } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";

/** What lists and single reads show of an execution; derived from its events, written in the same commit. */
export interface ExecutionSummary {
  readonly status: ExecutionStatus;
  readonly stopReason: Execution["stopReason"];
  readonly output: { readonly text: string; readonly sources?: readonly Source[] | undefined } | null;
  readonly error: Execution["error"];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly startedAt: EpochMs | null;
  readonly finishedAt: EpochMs | null;
}

/** The row of an execution: who asked for what, who advances it, and how it stands. */
export interface ExecutionRow extends ExecutionSummary {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** The API key that started it; null for the bootstrap key. */
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  /** The trace that it belongs to; absent where it was started outside of any. */
  readonly trace?: TraceContext;
  readonly lastSeq: number;
  /** Counts takeovers; an append under another epoch is refused. */
  readonly epoch: number;
  readonly createdAt: EpochMs;
}

/** A new execution, with the idempotency key that makes its creation repeatable. */
export interface NewExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  /** Stored with the request. */
  readonly trace?: TraceContext;
  readonly createdAt: EpochMs;
  /** Who advances it from the first moment on, and until when without renewal. */
  readonly owner: string;
  readonly leaseUntil: EpochMs;
  /** Executions of the workspace that may be unfinished at once, this one included; absent or null: any number. */
  readonly maxPending?: number | null;
  readonly idempotency?: {
    /** Workspace, API key and route; keys of others never collide. */
    readonly scope: string;
    readonly key: string;
    /** SHA-256 of the request body. */
    readonly bodyHash: string;
    readonly expiresAt: EpochMs;
  };
}

/** Which executions a list has; every part that is given must hold. */
export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined;
  readonly agentId?: string | undefined;
  /** The code of the error that an execution failed with. */
  readonly errorCode?: string | undefined;
  readonly stopReason?: StopReason | undefined;
  /** Created at this moment or later; ms since the epoch. */
  readonly since?: number | undefined;
  /** Created before this moment. */
  readonly until?: number | undefined;
  /** Strings at the top of the metadata. */
  readonly metadata?: readonly { readonly name: string; readonly value: string }[];
}

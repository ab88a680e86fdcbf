import type { TraceContext } from "@yagate/lib/http/trace-context";
import type {
  Citation,
  Cost,
  Execution,
  ExecutionMode,
  ExecutionRequest,
  ExecutionStatus,
  Source,
  StopReason,
  Usage,
} from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { AuditRow } from "../tables/audit.ts";

/**
 * The state of an execution, as lists and reads of single executions return it. It is derived from the events and
 * written in the same commit.
 */
export interface ExecutionSummary {
  readonly status: ExecutionStatus;
  readonly stopReason: Execution["stopReason"];
  readonly output: {
    readonly text: string;
    readonly sources?: readonly Source[] | undefined;
    readonly citations?: readonly Citation[] | undefined;
  } | null;
  readonly error: Execution["error"];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly startedAt: EpochMs | null;
  readonly finishedAt: EpochMs | null;
}

/** How an execution replays another one. */
export interface Replay {
  /** The id of the other execution. */
  readonly of: string;
  readonly toolMode: "recorded" | "live";
  /** The model turns that are copied from the other execution, as the gateway writes them. */
  readonly turns: readonly unknown[];
}

/** What a new execution is stored with in addition to its request. */
interface RequestContext {
  /** The trace that the execution belongs to; absent if there is none. */
  readonly trace?: TraceContext;
  /** `recorded` if nothing leaves the gateway; absent for an execution that sends requests. */
  readonly mode?: "recorded";
  /** Absent if the execution replays no other. */
  readonly replay?: Replay;
}

/** The row of an execution: its request, its owner and its state. */
export interface ExecutionRow extends ExecutionSummary, RequestContext {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** The API key that started the execution; null for the bootstrap key. */
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  readonly lastSeq: number;
  /** The number of times that the execution was claimed. An append with another epoch is rejected. */
  readonly epoch: number;
  readonly createdAt: EpochMs;
}

/** A new execution, with the idempotency key that makes its creation safe to repeat. */
export interface NewExecution extends RequestContext {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  readonly createdAt: EpochMs;
  /** The first owner, and the end of its lease. */
  readonly owner: string;
  readonly leaseUntil: EpochMs;
  /** The audit log entry of the creation, which is written in the same commit; absent if there is none. */
  readonly audit?: AuditRow;
  /** Maximum number of unfinished executions of the workspace, including this one; absent or null: no limit. */
  readonly maxPending?: number | null;
  readonly idempotency?: UsedKey & { readonly expiresAt: EpochMs };
}

/** An idempotency key, and the request with which it is used. */
export interface UsedKey {
  /** The workspace, API key and route. Idempotency keys are unique only within a scope. */
  readonly scope: string;
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly bodyHash: string;
}

/** Conditions for a list of executions. All given conditions must match. */
export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined;
  readonly agentId?: string | undefined;
  readonly mode?: ExecutionMode | undefined;
  /** The error code of a failed execution. */
  readonly errorCode?: string | undefined;
  readonly stopReason?: StopReason | undefined;
  /** The name of a tool that the execution has called. The read models may be up to 2 s behind. */
  readonly tool?: string | undefined;
  /** Created at or after this time; ms since the epoch. */
  readonly since?: number | undefined;
  /** Created before this time; ms since the epoch. */
  readonly until?: number | undefined;
  /** Top-level string entries that the execution's metadata must contain. */
  readonly metadata?: readonly { readonly name: string; readonly value: string }[];
}

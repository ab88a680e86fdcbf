import type { ExecutionStatus, StopReason } from "@yagate/protocol";

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

import type { ExecutionInput, JsonValue, Limits, ModelCall, Projection, SideEffect } from "@yagate/protocol";
import type { CallTarget } from "../../calls/port.ts";

/** What the machine must know about a tool; its executor knows the rest. */
export interface ToolTraits {
  /** `attempts`: sends requests, each recorded as an attempt before it is sent. `inline`: runs inside the gateway, repeatable. */
  readonly executor: "attempts" | "inline";
  /** For `attempts`: where a call with these arguments is sent. Pure. */
  readonly targetOf: (parameters: JsonValue) => CallTarget;
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Null if its author declared nothing. */
  readonly sideEffect: SideEffect | null;
  /** The model writes its requests, which count against the workspace's plan. */
  readonly isPrimitive?: boolean;
  /** Its calls may call the model, which costs again when they are repeated. */
  readonly asksModel?: boolean;
  /** A callback may deliver its result. */
  readonly isAsync: boolean;
  /** Calls of one model turn that may run; null: only the turn's own limit applies. */
  readonly maxCallsPerTurn: number | null;
  /** Calls of different groups never run together; null: side effects alone decide. */
  readonly parallelGroup: string | null;
  /** The resource that a call with these arguments works on, if they name one; null if the author declared no key. */
  readonly resourceKeyOf: ((parameters: JsonValue) => string | undefined) | null;
  /** Names of tools that must have completed before. */
  readonly dependsOn: readonly string[];
}

/** The configuration of an execution, fixed from its first event to its last. */
export interface ExecutionConfig {
  readonly executionId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly model: string;
  readonly input: ExecutionInput;
  readonly limits: Limits;
  /** How long a failed call is held for a fallback, in ms; null if the caller did not request that. */
  readonly fallbackWaitMs: number | null;
  /** How long a call waits for an approval, in ms. */
  readonly approvalExpiryMs: number;
  /** How long a callback of an asynchronous call is accepted, in ms from its first attempt. */
  readonly callbackExpiryMs: number;
  readonly tools: ReadonlyMap<string, ToolTraits>;
}

/** Time, ids and random numbers are injected, so that the same history always leads to the same state. */
export interface MachineEnvironment {
  /** ms since the epoch. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newAttemptId: () => string;
  /** The part of a result that the model reads; default all of it. */
  readonly project?: (result: JsonValue, projection: Projection) => JsonValue;
  /** The model calls that a running tool call has made so far, unfinished ones included; default none. */
  readonly modelCallsOf?: (toolCallId: string) => readonly ModelCall[];
}

/**
 * Whether a call whose outcome is unknown may be sent again: its author declared that repeats are safe, by the side
 * effect or, without one, by retries.
 */
export function isRepeatable(traits: ToolTraits): boolean {
  if (traits.sideEffect === null) return traits.retries >= 1;
  return traits.sideEffect === "read_only" || traits.sideEffect === "idempotent_write";
}

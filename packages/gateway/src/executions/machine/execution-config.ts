import type { ExecutionInput, JsonValue, Limits, ModelCall, Projection, SideEffect } from "@yagate/protocol";
import type { CallTarget } from "../../calls/port.ts";

/** What the machine must know of a tool; everything else about it is its executor's business. */
export interface ToolTraits {
  /** `attempts`: calls that leave, each attempt journaled before it does. `inline`: runs inside the gateway, repeatable. */
  readonly executor: "attempts" | "inline";
  /** Of `attempts`: the same for the same arguments. */
  readonly targetOf: (parameters: JsonValue) => CallTarget;
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Null when its author declared nothing. */
  readonly sideEffect: SideEffect | null;
  /** The model composes its requests, which count against the workspace's plan. */
  readonly isPrimitive?: boolean;
  /** Its calls may ask the model, for which they are charged again where they are repeated. */
  readonly asksModel?: boolean;
  /** Its result may be brought by a callback. */
  readonly isAsync: boolean;
  /** Calls of one turn that may run; null where the turn's own limit is the only one. */
  readonly maxCallsPerTurn: number | null;
  /** Calls of different groups never run together; null: side effects alone decide. */
  readonly parallelGroup: string | null;
  /** The resource that a call with these arguments works on, if they say so; null where its author named none. */
  readonly resourceKeyOf: ((parameters: JsonValue) => string | undefined) | null;
  /** Names of tools that must have completed before. */
  readonly dependsOn: readonly string[];
}

/** What an execution runs by, fixed from its first event to its last. */
export interface ExecutionConfig {
  readonly executionId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly model: string;
  readonly input: ExecutionInput;
  readonly limits: Limits;
  /** How long a failed call is held for the caller's answer, in ms; null when the caller did not ask to be asked. */
  readonly fallbackWaitMs: number | null;
  /** How long a call waits for a person, in ms. */
  readonly approvalExpiryMs: number;
  /** How long the result of an asynchronous call may be brought, in ms from its first attempt. */
  readonly callbackExpiryMs: number;
  readonly tools: ReadonlyMap<string, ToolTraits>;
}

/** Time, ids and chance come from outside, so that the same history always leads to the same state. */
export interface MachineEnvironment {
  /** ms since the epoch. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newAttemptId: () => string;
  /** What a model reads of a result; default all of it. */
  readonly project?: (result: JsonValue, projection: Projection) => JsonValue;
  /** What a call that is under way has asked of the model so far, what is not answered yet included; default nothing. */
  readonly modelCallsOf?: (toolCallId: string) => readonly ModelCall[];
}

/**
 * Whether a call whose outcome is unknown may be sent again: its author said that repeats are safe, by declaring the
 * side effect or, where nothing is declared, by asking for retries.
 */
export function isRepeatable(traits: ToolTraits): boolean {
  if (traits.sideEffect === null) return traits.retries >= 1;
  return traits.sideEffect === "read_only" || traits.sideEffect === "idempotent_write";
}

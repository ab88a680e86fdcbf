import type {
  CapabilityVersion,
  ExecutionInput,
  HeldTools,
  JsonValue,
  Limits,
  ModelCall,
  PinnedSourceTool,
  PolicyDecision,
  Projection,
  RiskClass,
  RouteDecision,
  SideEffect,
  ToolDeferral,
  ToolKind,
} from "@yagate/protocol";
import type { CallTarget } from "./call-outcome.ts";
import type { CallState, ExecutionState } from "./state.ts";

/** The traits of a tool that the state machine uses. Its executor handles everything else. */
export interface ToolTraits {
  /**
   * `attempts`: the tool sends requests, and each is recorded as an attempt before it is sent. `inline`: the tool runs
   * inside the gateway, and its calls can be repeated.
   */
  readonly executor: "attempts" | "inline";
  /** For `attempts`: returns the target of a call with these arguments. Pure. */
  readonly targetOf: (parameters: JsonValue) => CallTarget;
  readonly timeoutMs: number;
  /** Maximum number of attempts after the first. */
  readonly retries: number;
  /** Null if the author declared none. */
  readonly sideEffect: SideEffect | null;
  /** Whether the model writes the tool's requests, which then count against the workspace's plan. */
  readonly isPrimitive?: boolean;
  /** Whether calls to the tool may call the model. Repeating such a call repeats the cost of its model calls. */
  readonly asksModel?: boolean;
  /** Whether a callback may deliver the tool's result. */
  readonly isAsync: boolean;
  /** Maximum number of calls that may run in one model turn; null if only the limit of the turn applies. */
  readonly maxCallsPerTurn: number | null;
  /**
   * The tool's group. Calls to tools in different groups never run at the same time. Null if the tool has no group, so
   * that only side effects and resource keys determine what runs at the same time.
   */
  readonly parallelGroup: string | null;
  /**
   * Returns the resource that a call with these arguments works on, or undefined if they do not determine one. Null if
   * the author declared no resource key.
   */
  readonly resourceKeyOf: ((parameters: JsonValue) => string | undefined) | null;
  /** Names of the tools that must have completed before a call to this tool may run. */
  readonly dependsOn: readonly string[];
}

/** The capability to which a call moves, and what admits the call to it. */
export interface CapabilityChange {
  readonly to: CapabilityVersion;
  readonly kind: ToolKind;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision;
  readonly projection?: Projection;
  readonly isUntrusted?: boolean;
}

/** What an execution takes from a recording instead of sending requests. */
export interface RecordedParts {
  /** The last model turn whose reply is recorded; `Infinity` if all are. */
  readonly lastReplyTurn: number;
  /** The last model turn whose calls have recorded outcomes; `Infinity` if all have. */
  readonly lastCallTurn: number;
  /** The tools, as far as recorded calls use them: no call sends an attempt. */
  readonly tools: ReadonlyMap<string, ToolTraits>;
}

/** The configuration of an execution. It stays the same from the first event to the last. */
export interface ExecutionConfig {
  readonly executionId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly model: string;
  readonly input: ExecutionInput;
  readonly limits: Limits;
  /** Time that a failed call is held for a fallback, in ms; null if the caller did not request fallbacks. */
  readonly fallbackWaitMs: number | null;
  /** Maximum time that a call waits for an approval, in ms. */
  readonly approvalExpiryMs: number;
  /** Time that a callback of an asynchronous call is accepted, in ms from the first attempt. */
  readonly callbackExpiryMs: number;
  /** The tools by `toolKey`. */
  readonly tools: ReadonlyMap<string, ToolTraits>;
  /** The tools of tool sources among them; default: none. */
  readonly sourceTools?: readonly PinnedSourceTool[];
  /** The tools of its sources that were held when it started; absent if none were. */
  readonly heldTools?: HeldTools;
  /** The tools that it defers; absent if every model turn carries all tools. */
  readonly toolSearch?: ToolDeferral;
  /**
   * Returns the next capability that may serve a call whose capability has failed; undefined if there is none. Absent
   * if the agent has no intents.
   */
  readonly nextCapability?: (state: ExecutionState, call: CallState) => CapabilityChange | undefined;
  /** Whether the answer must cite what the execution has found; default false. */
  readonly requireCitations?: boolean;
  /** `recorded` if nothing leaves the gateway. */
  readonly mode?: "recorded";
  /** The execution that this one replays; absent if it is not a replay. */
  readonly replayOf?: string;
  /** Absent if nothing is recorded. */
  readonly recorded?: RecordedParts;
}

/** Returns whether the outcome of a call comes from a recording. */
export function isRecordedCall({ recorded }: ExecutionConfig, { turn }: { readonly turn: number }): boolean {
  return recorded !== undefined && turn <= recorded.lastCallTurn;
}

/** Returns the traits of the tool of a call; undefined if the gateway has no such tool. */
export function traitsOf(
  config: ExecutionConfig,
  call: { readonly name: string; readonly turn: number; readonly capability?: CapabilityVersion | undefined },
): ToolTraits | undefined {
  const tools = isRecordedCall(config, call) ? config.recorded?.tools : config.tools;
  return tools?.get(toolKey(call));
}

/**
 * Returns the key of a call's tool: its name, or for a call of an intent's tool the name with the capability that
 * serves it.
 */
export function toolKey({
  name,
  capability,
}: {
  readonly name: string;
  readonly capability?: CapabilityVersion | undefined;
}): string {
  return capability === undefined ? name : `${name} ${capability.key} ${capability.version}`;
}

/** The decision about a model turn. */
export interface TurnRoute {
  readonly decision: RouteDecision;
  /** Required intents that no capability serves. */
  readonly unserved: readonly string[];
}

/**
 * The time, ids, random numbers and functions that the machine uses. They are injected, so that the same history always
 * leads to the same state.
 */
export interface MachineEnvironment {
  /** Current time in ms since the epoch. */
  readonly now: number;
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number;
  readonly newAttemptId: () => string;
  /** Returns the part of a result that the model reads; default: the complete result. */
  readonly project?: (result: JsonValue, projection: Projection) => JsonValue;
  /** Decides which capabilities serve the agent's intents in a model turn; absent if the agent has none. */
  readonly decideRoute?: (state: ExecutionState, turn: number) => TurnRoute;
  /** Returns the model calls that a running tool call has made so far, including unfinished ones; default: none. */
  readonly modelCallsOf?: (toolCallId: string) => readonly ModelCall[];
}

/**
 * Returns whether a call whose outcome is unknown may be sent again, because its author declared that repeats are safe:
 * by a side effect of `read_only` or `idempotent_write` or, if no side effect is declared, by at least one retry.
 */
export function isRepeatable(traits: ToolTraits): boolean {
  if (traits.sideEffect === null) return traits.retries >= 1;
  return traits.sideEffect === "read_only" || traits.sideEffect === "idempotent_write";
}

import type { ToolExecutor } from "@yagate/calls/port";
import type { CallTarget, Failure } from "@yagate/execution-machine/call-outcome";
import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import type {
  CapabilityVersion,
  CompleteToolDefinition,
  FieldError,
  HandlerToolDefinition,
  HostedToolName,
  IntentDefinition,
  IntentReference,
  JsonObject,
  JsonValue,
  PinnedSourceTool,
  PolicyDecision,
  RiskClass,
  SideEffect,
  ToolDeferral,
  ToolKind,
} from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import type { RoutableIntent } from "@yagate/routing/decide-route";
import type { CapabilityFacts } from "@yagate/routing/refusal-of";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { SourcedDefinition } from "@yagate/tool-sources/port";
import type { CallOptions } from "./toolset/tool-entry.ts";

/** A tool of an agent that is ready to run. */
export interface Tool {
  readonly name: string;
  /** The capability that the tool is; absent for a tool that is not an intent's. */
  readonly capability?: CapabilityVersion;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly schemaHash: string;
  /** The schema that arguments must match, if it requires less than `parameters`, which the model reads. */
  readonly accepted?: { readonly parameters: JsonObject; readonly schemaHash: string };
  /** Maximum size of the serialised arguments, in characters; default 1,048,576. */
  readonly maxArgumentCharacters?: number | undefined;
  /** Returns why a call is invalid although its arguments match the schema; undefined if it is valid. */
  readonly problemOf?: (parameters: JsonObject) => string | undefined;
  /** Whether the model composes the requests of the tool. */
  readonly isPrimitive?: boolean;
  /** Whether calls to the tool may request sampling. */
  readonly asksModel?: boolean;
  /**
   * Returns instructions that the model reads in addition to the tool's definition. Tools that share this function
   * share the instructions, which the model reads only once.
   */
  readonly guidance?: (workspaceId: string) => Promise<string>;
  readonly kind: ToolKind;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  /**
   * Returns the risk class of a call that only reads. Present only for a tool whose arguments determine what a call
   * does. Pure; never throws.
   */
  readonly readRiskOf?: (parameters: JsonValue) => RiskClass | undefined;
  readonly policyDecision: PolicyDecision;
  /**
   * Whether calls require an approval after the model has read untrusted content, even if `policyDecision` allows them;
   * default false.
   */
  readonly asksAfterUntrusted?: boolean;
  /** Whether results count as untrusted content; default false. */
  readonly isUntrusted?: boolean;
  /** Returns the id of the artifact that a call reads, for a tool that can read artifacts. Pure; never throws. */
  readonly artifactReadBy?: (parameters: JsonValue) => string | undefined;
  /** Why the policy denies calls that read artifacts; undefined if it allows them. */
  readonly artifactDenial?: string;
  readonly options: CallOptions;
  /**
   * Returns why the tool may no longer run, although the execution started with it; undefined if it may. Present only
   * for tools of tool sources and for saved REST tools, which may follow one.
   */
  readonly withdrawal?: () => Promise<Failure | undefined>;
  /**
   * Returns the destination of a call that sends a request. Each attempt is recorded before it is sent. Pure; never
   * throws.
   */
  readonly targetOf?: (parameters: JsonValue) => CallTarget;
  /** Maximum duration of one attempt, in ms. */
  readonly timeoutMs: number;
  /** The definition of a handler tool. */
  readonly handler?: HandlerToolDefinition;
  readonly executor: ToolExecutor;
  /**
   * Makes another executor serve the calls as {@link executor} does: with the arguments of the tool behind an intent, and
   * with the selected result. Present only for tools that serve an intent; other tools' calls need no conversion.
   */
  readonly serveWith?: (executor: ToolExecutor) => ToolExecutor;
}

/** A provider-run tool. The gateway dispatches none of its calls. */
export interface HostedTool {
  readonly hosted: HostedToolName;
  /** Name of the tool in the agent. */
  readonly name: string;
  /** Maximum number of searches per model turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** A tool of a tool source, with the definition that an execution keeps from its start to its end. */
export interface SourcedTool extends PinnedSourceTool {
  /** The definition, under the name that the source publishes and that calls contain. */
  readonly definition: SourcedDefinition;
  /** The JSON Schema of structured results; absent if the tool declares none. */
  readonly outputSchema?: JsonObject | undefined;
  /** The name of the source. */
  readonly sourceName: string;
}

/** What serves an intent, as it is when an execution starts. */
export type ResolvedTarget =
  | { readonly hosted: HostedToolName }
  | { readonly definition: CompleteToolDefinition }
  | { readonly sourced: SourcedTool; readonly isMcp: boolean }
  /** The target does not exist, or may not be used. */
  | { readonly problem: FieldError };

/** An intent of an agent, with everything that can serve it. */
export interface ResolvedIntent {
  readonly reference: IntentReference;
  /** Undefined if the intent no longer exists. */
  readonly definition: IntentDefinition | undefined;
  readonly capabilities: readonly {
    readonly entry: CapabilityEntry;
    readonly version: string;
    readonly target: ResolvedTarget;
  }[];
}

/** A capability of an agent's intent. At most one of `tool` and `hosted` is present. */
export interface RoutedCapability extends Omit<CapabilityFacts, "isCircuitOpen" | "hasFailed"> {
  readonly tool?: Tool;
  readonly hosted?: HostedTool;
}

/** An intent of an agent, with its capabilities ready to run. */
export interface RoutedIntent extends Omit<RoutableIntent, "capabilities"> {
  readonly capabilities: readonly RoutedCapability[];
}

/** The intents of an agent. */
export interface RoutedTools {
  readonly intents: readonly RoutedIntent[];
  /** The tools of all capabilities, by `toolKey`. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly argumentValidator: ArgumentValidator;
}

/** A failure that prevents a call from running. */
export interface Refusal extends Failure {
  /** Whether the policy denied the call; otherwise the call is invalid. */
  readonly isDenied: boolean;
  /** Names of the deferred tools that are loaded because of the call; absent if there are none. */
  readonly loads?: readonly string[];
}

export { QueueFullError } from "@yagate/calls/failure";
export { HANDED_OVER } from "@yagate/calls/handed-over";
export type {
  CallContext,
  Rendering,
  ToolCall,
  ToolExecutor,
  ToolOutcome,
} from "@yagate/calls/port";
export type { SecretMask };

/** The tools of one agent version. */
export interface Toolset {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The tools that run at the model's provider. The array stays the same as long as the toolset is cached. */
  readonly hostedTools: readonly HostedTool[];
  /**
   * Size of the tool definitions as JSON with resolved references, in characters. The cache counts it as the cost of
   * the toolset.
   */
  readonly definitionCharacters: number;
  /**
   * The toolset for an execution that has an artifact. It adds `read_artifact` if the policy allows that tool. If the
   * agent already has a tool with that name, this is the same toolset.
   */
  readonly withArtifacts: Toolset;
  /**
   * The intents; absent for an agent that neither has intents nor rules. `tools` then contains one tool for each intent,
   * which stands for that of the chosen capability.
   */
  readonly routed?: RoutedTools;
  /** Which tools are deferred; absent if every model turn carries all of them. `tools` contains the search. */
  readonly search?: ToolDeferral;
  /**
   * Opens the secrets that the tools may send, so that their values can be masked in the model's output. Returns
   * undefined if the workspace has none of these secrets. Absent if the tools send no secrets.
   */
  readonly openMask?: (workspaceId: string) => Promise<SecretMask | undefined>;
  /**
   * Authorises a call and validates its arguments, which are the first two steps of every call. Returns undefined if
   * the call may run.
   */
  refusalOf(call: {
    readonly name: string;
    readonly parameters: JsonValue;
    readonly malformed?: string;
  }): Refusal | undefined;
}

import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import type {
  HandlerToolDefinition,
  JsonObject,
  JsonValue,
  PolicyDecision,
  RiskClass,
  SideEffect,
  ToolKind,
} from "@yagate/protocol";
import type { CallTarget, Failure, ToolExecutor } from "../calls/port.ts";
import type { CallOptions } from "./toolset/tool-entry.ts";

/** A tool of an agent, ready to run. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly schemaHash: string;
  /** The schema that arguments must fit, where it requires less than `parameters`, which the model reads. */
  readonly accepted?: { readonly parameters: JsonObject; readonly schemaHash: string };
  /** Maximum size of the serialised arguments, in characters; default 1 048 576. */
  readonly maxArgumentCharacters?: number | undefined;
  /** Returns why arguments that fit the schema still make no valid call; undefined if they do. */
  readonly problemOf?: (parameters: JsonObject) => string | undefined;
  /** Whether the model composes its requests. */
  readonly isPrimitive?: boolean;
  /** Whether its calls may sample the agent's model. */
  readonly asksModel?: boolean;
  /** Instructions that the model gets with this tool. Equal functions return equal texts. */
  readonly guidance?: (workspaceId: string) => Promise<string>;
  readonly kind: ToolKind;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  /** The risk class of a call that only reads, for a tool whose calls choose what they do. Pure; never throws. */
  readonly readRiskOf?: (parameters: JsonValue) => RiskClass | undefined;
  readonly policyDecision: PolicyDecision;
  /** Whether its calls require approval once untrusted content was read, beyond `policyDecision`; default false. */
  readonly asksAfterUntrusted?: boolean;
  /** Whether its results count as untrusted content; default false. */
  readonly isUntrusted?: boolean;
  /** The id of the artifact that a call reads, for a tool that can read artifacts. Pure; never throws. */
  readonly artifactReadBy?: (parameters: JsonValue) => string | undefined;
  /** Why the policy denies its calls to read artifacts; undefined if it allows them. */
  readonly artifactDenial?: string;
  readonly options: CallOptions;
  /** The destination of calls that send requests; each attempt is recorded before it is sent. Pure; never throws. */
  readonly targetOf?: (parameters: JsonValue) => CallTarget;
  /** Maximum duration of one attempt, in ms. */
  readonly timeoutMs: number;
  /** The definition of a handler tool. */
  readonly handler?: HandlerToolDefinition;
  readonly executor: ToolExecutor;
}

/** A tool that runs at the model's provider. The gateway dispatches none of its calls. */
export interface HostedTool {
  readonly hosted: "web_search";
  /** Its name in the agent. */
  readonly name: string;
  /** Maximum number of searches per model turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** Why a call may not run. */
export interface Refusal extends Failure {
  /** Whether the policy denied the call; otherwise the call is invalid. */
  readonly isDenied: boolean;
}

export { QueueFullError } from "../calls/failure.ts";
export type {
  CallContext,
  CallTarget,
  Failure,
  Rendering,
  ToolCall,
  ToolExecutor,
  ToolOutcome,
} from "../calls/port.ts";
export type { SecretMask };

/** The tools of one agent version. */
export interface Toolset {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The same array while the toolset is cached. */
  readonly hostedTools: readonly HostedTool[];
  /** Size of its definitions as JSON with resolved references, in characters: what caching it costs. */
  readonly definitionCharacters: number;
  /**
   * The tools for an execution with an artifact: they include `read_artifact` if the policy allows it. The toolset itself if
   * the agent lists a tool with that name.
   */
  readonly withArtifacts: Toolset;
  /**
   * Opens the secrets that its tools may send, to mask them in the model's output. Absent without such secrets; returns
   * undefined if the workspace has none of them.
   */
  readonly openMask?: (workspaceId: string) => Promise<SecretMask | undefined>;
  /** The first two steps of every call: authorise it, then validate its arguments. Undefined: it may run. */
  refusalOf(call: {
    readonly name: string;
    readonly parameters: JsonValue;
    readonly malformed?: string;
  }): Refusal | undefined;
}

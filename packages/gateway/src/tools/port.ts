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
  /** What arguments must fit, where that is less than the model is told in `parameters`. */
  readonly accepted?: { readonly parameters: JsonObject; readonly schemaHash: string };
  /** Of its arguments, serialised; default 1 048 576. */
  readonly maxArgumentCharacters?: number | undefined;
  /** Says of arguments that fit the schema why no call can be made of them all the same; undefined: one can. */
  readonly problemOf?: (parameters: JsonObject) => string | undefined;
  /** The model composes its requests. */
  readonly isPrimitive?: boolean;
  /** Its calls may ask the agent's model. */
  readonly asksModel?: boolean;
  /** What the model is told beside its instructions wherever it has this tool; the same function says the same. */
  readonly guidance?: (workspaceId: string) => Promise<string>;
  readonly kind: ToolKind;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  /** Of a tool whose calls choose what they do: the risk class of one that only reads. Pure; never throws. */
  readonly readRiskOf?: (parameters: JsonValue) => RiskClass | undefined;
  readonly policyDecision: PolicyDecision;
  /** Whether its calls ask a person once untrusted content was read, whatever `policyDecision` says; default false. */
  readonly asksAfterUntrusted?: boolean;
  /** Whether what it brings was written by others, whom the agent's author does not trust; default false. */
  readonly isUntrusted?: boolean;
  /** Of a tool that may read artifacts: the id of the one that a call reads. Pure; never throws. */
  readonly artifactReadBy?: (parameters: JsonValue) => string | undefined;
  /** Why the policy lets no call of it read an artifact; undefined: calls may. */
  readonly artifactDenial?: string;
  readonly options: CallOptions;
  /** Of a tool whose calls leave, each attempt journaled before it does: where they go. Pure; never throws. */
  readonly targetOf?: (parameters: JsonValue) => CallTarget;
  /** Bound of one attempt, in ms. */
  readonly timeoutMs: number;
  /** The webhook behind it, if that is what it is. */
  readonly handler?: HandlerToolDefinition;
  readonly executor: ToolExecutor;
}

/** A tool that the model's provider runs on its own side. Nothing of it is dispatched. */
export interface HostedTool {
  readonly hosted: "web_search";
  /** What the agent calls it. */
  readonly name: string;
  /** Most searches of one turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** Why a call may not run. */
export interface Refusal extends Failure {
  /** The policy said no; otherwise the call itself was wrong. */
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
  /** The same array for as long as the toolset is kept. */
  readonly hostedTools: readonly HostedTool[];
  /** The length of its definitions as JSON, references included: what keeping it costs. */
  readonly definitionCharacters: number;
  /**
   * The tools once a result of the execution is an artifact: with `read_artifact`, if the policy lets it run. The toolset
   * itself where the agent lists a tool of that name.
   */
  readonly withArtifacts: Toolset;
  /**
   * Opens the secrets that its tools may send, to take them out of what a model writes; absent where there are none, and
   * undefined where the workspace has none of them.
   */
  readonly openMask?: (workspaceId: string) => Promise<SecretMask | undefined>;
  /** The first two steps of every call: authorise, then validate the arguments. Undefined: it may run. */
  refusalOf(call: {
    readonly name: string;
    readonly parameters: JsonValue;
    readonly malformed?: string;
  }): Refusal | undefined;
}

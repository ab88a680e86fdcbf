import type { AskModel } from "@yagate/builtins/ask-model";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import type {
  ApprovalRequest,
  Cost,
  HandlerToolDefinition,
  JsonObject,
  JsonValue,
  PolicyDecision,
  RiskClass,
  SideEffect,
  ToolKind,
} from "@yagate/protocol";
import type { AttemptFailure, AttemptReport, CallbackTimes, LateResponse } from "../webhooks/port.ts";
import type { CallOptions } from "./toolset/tool-entry.ts";

/** A call that was admitted: its arguments are valid and the policy lets it pass. */
export interface ToolCall {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** 1 for the first. */
  readonly attempt: number;
  readonly caller?: JsonObject;
  /** Of the execution; absent where it was started outside of any trace. */
  readonly trace?: TraceContext;
  /** Of a primitive: which of the execution's calls of primitives it is, 1 for the first; absent outside of executions. */
  readonly primitiveOrdinal?: number;
  /** An earlier attempt of it has cost its credits already. */
  readonly isPaid?: boolean;
  /** Names of the secrets whose values the model had written into its arguments, where now `***NAME***` stands. */
  readonly leakedSecrets?: readonly string[];
}

/** What a person reads of a call before it may run, and its hash. */
export interface Rendering {
  /** What would be sent; null for a tool that runs inside the gateway. */
  readonly request: ApprovalRequest | null;
  /** `sha256:` and hex. */
  readonly hash: string;
}

/** What an executor may rely on while it runs. */
export interface CallContext {
  /** The hash of the rendering that a person approved: a call that comes to another one ends with `POLICY_DENIED`. */
  readonly approvedHash?: string;
  /** Of a call whose result may be brought later. */
  readonly callback?: CallbackTimes;
  /** ms since the epoch; whatever is not done by then is over. */
  readonly deadline: number;
  /** ms since the epoch: the end of the execution's time, to which waiting for a turn may move `deadline`. */
  readonly latestDeadline?: number;
  readonly signal: AbortSignal;
  /** Aborted when nothing that has not left yet may leave any more; what has left goes on. */
  readonly unsentSignal?: AbortSignal;
  /** Called right before bytes leave the process; when it throws, nothing may leave. */
  readonly beforeSend: () => void;
  /** Called with true when it begins to wait for a concurrency slot of its endpoint, with false when it no longer does. */
  readonly onQueued?: (isQueued: boolean) => void;
  /** Where the endpoint's queue is full, `execute` rejects with a `QueueFullError` in place of failing; default false. */
  readonly isPostponable?: boolean;
  /** Asks the agent's model; absent where it can't answer what tools ask. */
  readonly askModel?: AskModel;
  /** Called when an answer comes after `execute` has reported a `TIMEOUT`: for the record. */
  readonly onLateAnswer?: (late: LateResponse) => void;
}

/** Why a call brought no result; the same for every kind of tool. */
export type ToolFailure = AttemptFailure;

/** What went over the network for a call. */
export interface ToolExchange extends Omit<AttemptReport, "answer"> {
  /** What was called, secrets by their names; absent where the tool's `targetOf` says it. */
  readonly url?: string;
}

/** What a call came to. */
export interface ToolOutcome {
  /** `pending`: the result is to be brought by a callback. */
  readonly answer: { readonly result: JsonValue } | { readonly failure: ToolFailure } | { readonly pending: true };
  readonly cost: Cost;
  readonly exchange?: ToolExchange;
}

/** Runs calls of one tool, whatever its kind. Rejects only with the error of `beforeSend`, or with a `QueueFullError` where that was asked for. */
export interface ToolExecutor {
  /** What the call would do, without doing it. The same call always has the same hash. */
  render(call: ToolCall): Promise<Rendering>;
  execute(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
}

/** Where a call goes, as its record shows it. */
export interface CallTarget {
  readonly method: string;
  readonly url: string;
  /** Name of the secret that goes along; several with commas between. */
  readonly credential?: string;
}

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
export interface Refusal extends AttemptFailure {
  /** The policy said no; otherwise the call itself was wrong. */
  readonly isDenied: boolean;
}

export { QueueFullError } from "../webhooks/endpoints/queue-full-error.ts";
export type { SecretMask };

/** The tools of one agent version. */
export interface Toolset {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The same array for as long as the toolset is kept. */
  readonly hostedTools: readonly HostedTool[];
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

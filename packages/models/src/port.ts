import type {
  HostedCall,
  HostedToolName,
  JsonObject,
  JsonValue,
  ModelResponse,
  Script,
  Source,
  TokenUsage,
  WarningCode,
} from "@yagate/protocol";
import type { QuestionSize } from "./prices/most-cost.ts";

export type { QuestionSize };

/** Metadata from a provider, stored verbatim and sent back: signatures, encrypted reasoning, item ids. */
export type ProviderMetadata = JsonObject;

/** A part of a model's output in one turn. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: "reasoning"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | {
      readonly type: "tool_call";
      /** The gateway's id for the call. */
      readonly toolCallId: string;
      /** The provider's id for the call, which the result must contain. */
      readonly providerCallId: string;
      readonly name: string;
      readonly parameters: JsonValue;
      readonly providerMetadata?: ProviderMetadata;
    }
  /** A provider-run tool call. It is sent back unmodified, and the gateway never runs it. */
  | {
      readonly type: "hosted_call";
      readonly providerCallId: string;
      /** The provider's name for the tool. */
      readonly name: string;
      readonly input: JsonValue;
      readonly providerMetadata?: ProviderMetadata;
    }
  | {
      readonly type: "hosted_result";
      readonly providerCallId: string;
      readonly name: string;
      readonly output: JsonValue;
      readonly isError: boolean;
      readonly providerMetadata?: ProviderMetadata;
    };

/** The result of one call as the model receives it. */
export interface ToolResultForModel {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly isError: boolean;
  /** The projection as JSON text; shortened and marked as such if it was too long. */
  readonly text: string;
}

/** One message of the conversation, in the gateway's own type, so that stored rows do not depend on an SDK. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResultForModel[] };

/** A tool as it is described to the model. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A tool that the model provider runs. */
export interface HostedTool {
  readonly hosted: HostedToolName;
  /** The agent's name for the tool. */
  readonly name: string;
  /** Maximum number of searches or pages per turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** The request of one model turn. */
export interface ModelTurnRequest {
  /** The agent's workspace, which may have configured providers. */
  readonly workspaceId: string;
  /** The name saved with the agent: `openai/gpt-5`, a bare `claude-…` or `scripted/keyword`. */
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly hostedTools?: readonly HostedTool[];
  /**
   * The name of the tool that finds deferred tools, whose results name them in `tools`; absent if none are deferred. A
   * model that has a form of its own for this gets the tool and the tools that it found in this form.
   */
  readonly searchTool?: string;
  readonly toolChoice: "auto" | "required" | "none";
  /** Maximum number of output tokens. Default: the provider's. */
  readonly maxOutputTokens?: number;
  /** The number of the turn in the execution, from 1. */
  readonly turn: number;
  /** The script of a `scripted/turns` model. */
  readonly script?: Script;
  readonly signal: AbortSignal;
  /** Receives text as it arrives. If set, the turn is streamed. */
  readonly onTextDelta?: (text: string) => void;
  /** Creates the id of a tool call. */
  readonly newToolCallId: () => string;
}

/** A tool call that the model requested. */
export interface ModelToolCall {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  /** A message for the model if the call's arguments were not valid JSON; `parameters` then contains the raw text. */
  readonly malformed?: string;
  /** Names of the provider keys that were removed from `parameters`. */
  readonly leakedSecrets?: readonly string[];
}

/**
 * Why the model stopped. `length`: the reply was truncated, so the calls in it must not run. A failed turn is reported
 * as a {@link ModelTurnError}, never as `error`.
 */
export type FinishReason = "stop" | "tool_calls" | "length" | "refused" | "error" | "other";

export interface ModelTurn {
  /** The response id and model that the provider reported; absent if it reported neither. */
  readonly response?: ModelResponse;
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly toolCalls: readonly ModelToolCall[];
  /** The message to store and to send in the next turn. */
  readonly parts: readonly AssistantPart[];
  /** Provider-run calls, for the record. */
  readonly hostedCalls: readonly HostedCall[];
  /** The distinct sources that the reply cites. */
  readonly sources: readonly Source[];
  readonly usage: TokenUsage;
  readonly cost: TurnCost;
}

/** The cost of one reply. */
export interface TurnCost {
  readonly usd: number;
  /** `true` if the price of some part is unknown or its usage was not counted. `usd` is then a lower bound. */
  readonly isPartial: boolean;
}

/** The usage and cost of a turn. */
export interface TurnSpending {
  readonly usage: TokenUsage;
  readonly cost: TurnCost;
}

/** Why an operator's provider could not be reached. For the log; not returned to the caller. */
export interface UnreachableProvider {
  readonly provider: string;
  /** The origin of the provider's base URL. */
  readonly origin: string;
  readonly code: string;
  /** The network error, such as `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:11434`. */
  readonly reason: string;
}

/** A failed model turn. */
export class ModelTurnError extends Error {
  override readonly name = "ModelTurnError";
  /**
   * `NOT_CONFIGURED`: the provider is unknown or has no key. `MODEL_UNPRICED`: no request was sent, because its cost
   * could not be bounded. `MODEL_ERROR`: the provider returned an error or could not be reached.
   */
  readonly code: "NOT_CONFIGURED" | "MODEL_UNPRICED" | "MODEL_ERROR";
  /** `true` for 429, 5xx and similar statuses and for network errors: the gateway repeats the turn. */
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** The usage and cost of the failed turn; undefined if there was no response. */
  readonly spending: TurnSpending | undefined;
  /**
   * Set if an operator's provider could not be reached. Undefined for an address that a workspace set, because details
   * of the network must not be disclosed.
   */
  readonly unreachable: UnreachableProvider | undefined;
  /** Why the response could not be parsed, for the operator. Contains no content from the response. */
  readonly developerMessage: string | undefined;

  constructor(
    code: "NOT_CONFIGURED" | "MODEL_UNPRICED" | "MODEL_ERROR",
    message: string,
    options: {
      readonly isRetryable?: boolean;
      readonly retryAfterMs?: number;
      readonly spending?: TurnSpending;
      readonly unreachable?: UnreachableProvider;
      readonly developerMessage?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.spending = options.spending;
    this.unreachable = options.unreachable;
    this.developerMessage = options.developerMessage;
  }
}

/** The codes of problems with models and tools that are found when an agent is saved. */
export const MODEL_ISSUE_CODES = [
  "UNKNOWN_MODEL",
  "NOT_CONFIGURED",
  "PRICE_UNKNOWN",
  "MODEL_WITHOUT_TOOLS",
  "TOOL_NAME_CONFLICT",
  "SCHEMA_UNSUPPORTED",
  "SCHEMA_KEYWORD_IGNORED",
  "DESCRIPTION_LONG",
  "HOSTED_TOOL_UNSUPPORTED",
  "HOSTED_TOOL_CONFLICT",
  "HOSTED_OPTION_UNSUPPORTED",
] as const;

type ModelIssueCode = (typeof MODEL_ISSUE_CODES)[number];

/** A problem with an agent's model or tools, found when the agent is saved. */
export type ModelIssue = {
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: ModelIssueCode }
  | { readonly severity: "warning"; readonly code: Extract<ModelIssueCode, WarningCode> }
);

/**
 * Base URLs by the names of the providers that the workspace configured. Null: the operator's base URL for that name,
 * or the provider's own.
 */
export type WorkspaceBaseUrls = ReadonlyMap<string, string | null>;

/** The server of a provider, or a proxy in front of it. */
export interface ModelServer {
  /** A host name or an IP address. */
  readonly address: string;
  readonly port: number;
}

/** The model layer. It runs single turns and never retries. */
export interface Models {
  /**
   * Runs one turn.
   *
   * @throws ModelTurnError if the turn failed; the signal's reason if it was aborted. Any other error is a defect.
   */
  runTurn(request: ModelTurnRequest): Promise<ModelTurn>;
  /** Checks whether the price of a model is known. Scripted models are free. */
  isPriced(model: string): boolean;
  /**
   * Loads the packages of the operator's providers, so that the first model turn does not wait for them. Without this
   * call, the first turn of each provider loads its package.
   *
   * @throws any error from loading a package.
   */
  loadProviders(): Promise<void>;
  /**
   * Returns the server to which requests for a model are currently sent; undefined for scripted models, which send
   * none.
   *
   * @throws any error from reading the workspace's providers.
   */
  serverOf(workspaceId: string, model: string): Promise<ModelServer | undefined>;
  /**
   * Returns the maximum cost of a request in USD; undefined for scripted models, or if the price of the model is
   * unknown.
   */
  mostCostOf(model: string, size: QuestionSize): number | undefined;
  /**
   * Validates a model name and tools without sending a request.
   *
   * @param ofWorkspace - the providers that the agent's workspace configured. Default: none.
   */
  check(
    model: string,
    tools: readonly (ModelTool | HostedTool)[],
    ofWorkspace?: WorkspaceBaseUrls,
  ): readonly ModelIssue[];
}

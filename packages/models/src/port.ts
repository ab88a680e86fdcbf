import type {
  HostedCall,
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

/** Provider metadata, stored verbatim and sent back: signatures, encrypted reasoning, item ids. */
export type ProviderMetadata = JsonObject;

/** A part of a model's output in one turn. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: "reasoning"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | {
      readonly type: "tool_call";
      /** Our id. */
      readonly toolCallId: string;
      /** The provider's id, which results must carry. */
      readonly providerCallId: string;
      readonly name: string;
      readonly parameters: JsonValue;
      readonly providerMetadata?: ProviderMetadata;
    }
  /** A provider-run tool call. It is sent back unmodified and never runs here. */
  | {
      readonly type: "hosted_call";
      readonly providerCallId: string;
      /** The provider's own form. */
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

/** The result of one call for the model. */
export interface ToolResultForModel {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly isError: boolean;
  /** Projected text: JSON, shortened and marked as such if it was too long. */
  readonly text: string;
}

/** One message of the conversation, in our own type, so stored rows do not depend on an SDK. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResultForModel[] };

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A tool that the model provider runs. */
export interface HostedTool {
  readonly hosted: "web_search";
  /** The agent's name for it. */
  readonly name: string;
  /** Maximum number of searches per turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** One model turn. */
export interface ModelTurnRequest {
  /** The workspace of the agent; it may have its own providers. */
  readonly workspaceId: string;
  /** As saved with the agent: `openai/gpt-5`, a bare `claude-…` or `scripted/keyword`. */
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly hostedTools?: readonly HostedTool[];
  readonly toolChoice: "auto" | "required" | "none";
  /** Maximum number of output tokens; default: the provider's. */
  readonly maxOutputTokens?: number;
  /** Starts at 1 for the first turn of the execution. */
  readonly turn: number;
  /** The script of a `scripted/turns` model. */
  readonly script?: Script;
  readonly signal: AbortSignal;
  /** Receives text as it arrives; if set, the turn is streamed. */
  readonly onTextDelta?: (text: string) => void;
  /** Creates the id of a tool call. */
  readonly newToolCallId: () => string;
}

/** A call by the model. */
export interface ModelToolCall {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  /** Set when the arguments were not JSON: the message for the model. `parameters` then holds the raw text. */
  readonly malformed?: string;
  /** Names of the keys that were removed from `parameters`. */
  readonly leakedSecrets?: readonly string[];
}

/** `length`: truncated, so its calls must not run. A failed turn is a {@link ModelTurnError}, never `error`. */
export type FinishReason = "stop" | "tool_calls" | "length" | "refused" | "error" | "other";

export interface ModelTurn {
  /** What the provider reported about its response; absent if nothing. */
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
  /** The price of a part is unknown, or it was not counted: `usd` is a lower bound. */
  readonly isPartial: boolean;
}

/** The usage of a turn. */
export interface TurnSpending {
  readonly usage: TokenUsage;
  readonly cost: TurnCost;
}

/** Why an operator's provider could not be reached: for the log, not for the caller of an execution. */
export interface UnreachableProvider {
  readonly provider: string;
  /** The host of its base URL. */
  readonly origin: string;
  readonly code: string;
  /** The network error, such as `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:11434`. */
  readonly reason: string;
}

/** A failed model turn. */
export class ModelTurnError extends Error {
  override readonly name = "ModelTurnError";
  /**
   * `NOT_CONFIGURED`: unknown provider or no key. `MODEL_UNPRICED`: no request was sent, because its cost could not be
   * bounded. `MODEL_ERROR`: the provider returned an error or could not be reached.
   */
  readonly code: "NOT_CONFIGURED" | "MODEL_UNPRICED" | "MODEL_ERROR";
  /** 429, 5xx and network errors: the gateway repeats the turn. */
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** Usage that the provider counted for the failed turn; undefined without a response. */
  readonly spending: TurnSpending | undefined;
  /** Also undefined for an address that a workspace set: details of its network must not be disclosed. */
  readonly unreachable: UnreachableProvider | undefined;
  /** Why the response could not be parsed, for the server's operator; none of its content. */
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

/** The codes of findings when an agent is saved. */
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

/** A problem of an agent's model or tools, found when the agent is saved. */
export type ModelIssue = {
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: ModelIssueCode }
  | { readonly severity: "warning"; readonly code: Extract<ModelIssueCode, WarningCode> }
);

/** The base URL by the name of a provider that the workspace configured; null: the gateway's, or the provider's own. */
export type WorkspaceBaseUrls = ReadonlyMap<string, string | null>;

/** The server of a provider, or the proxy in front of it. */
export interface ModelServer {
  /** A host name or an IP address. */
  readonly address: string;
  readonly port: number;
}

/** The model layer. It runs one turn and never retries. */
export interface Models {
  /** @throws ModelTurnError; an abort rejects with the signal's reason; any other error is a defect. */
  runTurn(request: ModelTurnRequest): Promise<ModelTurn>;
  /** Whether the price of a model is known. Scripted models are free. */
  isPriced(model: string): boolean;
  /**
   * Where requests for a model currently go; undefined for scripted models, which send none.
   *
   * @throws the errors of reading a workspace's providers.
   */
  serverOf(workspaceId: string, model: string): Promise<ModelServer | undefined>;
  /** The maximum cost of a request in USD; undefined if the price of the model is unknown, and for scripted models. */
  mostCostOf(model: string, size: QuestionSize): number | undefined;
  /**
   * Validates a model name and tools without sending a request.
   *
   * @param ofWorkspace - the providers that the agent's workspace configured; none by default.
   */
  check(
    model: string,
    tools: readonly (ModelTool | HostedTool)[],
    ofWorkspace?: WorkspaceBaseUrls,
  ): readonly ModelIssue[];
}

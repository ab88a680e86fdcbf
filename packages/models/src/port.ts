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

/** A piece of what the model said in one turn. */
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
  /** A tool that the provider ran itself. It goes back as it came, and nothing of it ever runs here. */
  | {
      readonly type: "hosted_call";
      readonly providerCallId: string;
      /** As the provider has it. */
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

/** What the model gets to read for one of its calls. */
export interface ToolResultForModel {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly isError: boolean;
  /** Projected text: JSON, cut and marked where it was too long. */
  readonly text: string;
}

/** One message of the conversation: our own type, so that stored rows outlive any SDK. */
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

/** A tool that the model's provider is to run itself. */
export interface HostedTool {
  readonly hosted: "web_search";
  /** What the agent calls it. */
  readonly name: string;
  /** Most searches of one turn. */
  readonly maxUses?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
}

/** One model turn. */
export interface ModelTurnRequest {
  /** Whose turn it is: a workspace may have providers of its own. */
  readonly workspaceId: string;
  /** As saved with the agent: `openai/gpt-5`, a bare `claude-…` or `scripted/keyword`. */
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly hostedTools?: readonly HostedTool[];
  readonly toolChoice: "auto" | "required" | "none";
  /** Most tokens of the answer; default as the provider has it. */
  readonly maxOutputTokens?: number;
  /** 1 for the first turn of the execution. */
  readonly turn: number;
  /** What a `scripted/turns` model plays. */
  readonly script?: Script;
  readonly signal: AbortSignal;
  /** Given when somebody is listening: the turn is then streamed. */
  readonly onTextDelta?: (text: string) => void;
  /** Mints the id of a tool call. */
  readonly newToolCallId: () => string;
}

/** A call that the model made. */
export interface ModelToolCall {
  readonly toolCallId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  /** Set when the arguments were not JSON: what to tell the model. `parameters` then holds the raw text. */
  readonly malformed?: string;
  /** Names of the keys that stood in `parameters` and were taken out. */
  readonly leakedSecrets?: readonly string[];
}

/** `length`: cut off, so its calls must not run. A turn that failed is a {@link ModelTurnError}, never `error`. */
export type FinishReason = "stop" | "tool_calls" | "length" | "refused" | "error" | "other";

export interface ModelTurn {
  /** What the provider said of its answer; absent where it said nothing. */
  readonly response?: ModelResponse;
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly toolCalls: readonly ModelToolCall[];
  /** The message to store and to send back in the next turn. */
  readonly parts: readonly AssistantPart[];
  /** What the provider ran itself, for the record. */
  readonly hostedCalls: readonly HostedCall[];
  /** What the answer is drawn from, each once. */
  readonly sources: readonly Source[];
  readonly usage: TokenUsage;
  readonly cost: TurnCost;
}

/** What one answer of a model cost. */
export interface TurnCost {
  readonly usd: number;
  /** Part of it has no known price, or was not counted: `usd` is the least that it cost. */
  readonly isPartial: boolean;
}

/** What a turn used up. */
export interface TurnSpending {
  readonly usage: TokenUsage;
  readonly cost: TurnCost;
}

/** Why a provider of whoever runs the gateway could not be reached: for the log, not for who started an execution. */
export interface UnreachableProvider {
  readonly provider: string;
  /** Of its base URL. */
  readonly origin: string;
  readonly code: string;
  /** What the network said, such as `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:11434`. */
  readonly reason: string;
}

/** A failed model turn. */
export class ModelTurnError extends Error {
  override readonly name = "ModelTurnError";
  /**
   * `NOT_CONFIGURED`: no such provider or no key. `MODEL_UNPRICED`: it was not asked, because its cost could not be
   * bounded. `MODEL_ERROR`: the provider said no or could not be reached.
   */
  readonly code: "NOT_CONFIGURED" | "MODEL_UNPRICED" | "MODEL_ERROR";
  /** 429, 5xx and network errors: the runner repeats the turn. */
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** What the provider counts although the turn failed; undefined when it answered nothing. */
  readonly spending: TurnSpending | undefined;
  /** Undefined also where a workspace wrote the address: what its network says is nobody's to read. */
  readonly unreachable: UnreachableProvider | undefined;
  /** Why an answer could not be read, for who looks after the server; of its content nothing. */
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

/** Everything that the model layer finds when an agent is saved. */
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

/** What is wrong with an agent's model or tools, found when it is saved. */
export type ModelIssue = {
  readonly path: string;
  readonly message: string;
} & (
  | { readonly severity: "error"; readonly code: ModelIssueCode }
  | { readonly severity: "warning"; readonly code: Extract<ModelIssueCode, WarningCode> }
);

/** By the name of a provider that a workspace configured: its base URL; null: the gateway's, or the provider's own. */
export type WorkspaceBaseUrls = ReadonlyMap<string, string | null>;

/** The server of a provider, or the proxy before it. */
export interface ModelServer {
  /** A name or an address. */
  readonly address: string;
  readonly port: number;
}

/** The model layer, one turn at a time. Never retries by itself. */
export interface Models {
  /** @throws ModelTurnError; an abort rejects with the signal's reason; any other error is a defect of ours. */
  runTurn(request: ModelTurnRequest): Promise<ModelTurn>;
  /** Whether it is known what a model costs. Scripted models cost nothing. */
  isPriced(model: string): boolean;
  /**
   * Where requests for a model go as it is configured at the moment; undefined: nowhere, as for scripted ones.
   *
   * @throws what reading a workspace's providers throws.
   */
  serverOf(workspaceId: string, model: string): Promise<ModelServer | undefined>;
  /** What a question costs at most, in USD; undefined where no price of the model is known, as for scripted ones. */
  mostCostOf(model: string, size: QuestionSize): number | undefined;
  /**
   * Checks a model name and tools without calling anybody.
   *
   * @param ofWorkspace - the providers that the agent's workspace configured for itself; none by default.
   */
  check(
    model: string,
    tools: readonly (ModelTool | HostedTool)[],
    ofWorkspace?: WorkspaceBaseUrls,
  ): readonly ModelIssue[];
}

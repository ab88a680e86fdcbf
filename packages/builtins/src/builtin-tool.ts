import type { BuiltinName, Cost, ErrorCode, FieldError, JsonObject, RiskClass } from "@yagate/protocol";
import type { AskModel } from "./ask-model.ts";

/** JSON Schema 2020-12 of a tool's parameters; always an object. */
export interface JsonSchemaObject {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** What the gateway passes to a built-in tool with each call. */
export interface BuiltinContext {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** ms since the epoch; the call ends then, finished or not. */
  readonly deadline: number;
  /** The workspace of the call. A tool must not read what belongs to other workspaces. */
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** Sends a request to the agent's own model; absent where the model can't reply, as with a scripted one. */
  readonly askModel?: AskModel;
  /**
   * Reports the cost so far, for a tool that pays a service while it works. The reported cost counts if the call ends
   * before the tool does; otherwise the cost in the tool's outcome counts.
   */
  readonly onSpending?: (costSoFar: () => Cost) => void;
}

/** Why a built-in tool returned no result: always an error code of the gateway. */
export interface BuiltinError {
  readonly code: ErrorCode;
  /** For the model. */
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}

/** The outcome of a call, and what a service charged for it; default: no cost. */
export type BuiltinOutcome = ({ readonly result: unknown } | { readonly error: BuiltinError }) & {
  readonly cost?: Cost;
};

/** A tool with the `config` of one agent's entry, or the errors in that config. Paths start at the config. */
export type ConfiguredTool = { readonly tool: BuiltinTool } | { readonly problems: readonly FieldError[] };

/** A tool that needs no webhook. */
export interface BuiltinTool {
  readonly name: BuiltinName;
  /** For the model. */
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  /** None of these tools changes anything outside the gateway. */
  readonly sideEffect: "read_only";
  /** Default `read_only`; `external_read` for content from third parties. */
  readonly risk?: Extract<RiskClass, "read_only" | "external_read">;
  /**
   * What policies allow or deny: `compute` stays inside the process, `network` sends requests, `data` reads stored
   * data.
   */
  readonly kind: "compute" | "network" | "data";
  /** Whether calls can succeed; otherwise each call fails with `NOT_CONFIGURED`. */
  readonly isConfigured: boolean;
  /** How an operator configures the tool, worded to follow a colon. */
  readonly remedy?: string;
  /** For a network tool: whether the agent's author trusts the authors of its results; default false. */
  readonly isTrusted?: boolean;
  /** Calls may use the agent's model. */
  readonly asksModel?: boolean;
  /** Time limit of one call, in ms; default 10 000. */
  readonly timeoutMs?: number;
  /** Maximum size of the serialised arguments in bytes, up to 4 194 304; default 1 048 576. */
  readonly maxArgumentCharacters?: number;
  /** Creates the tool with an agent's config. A tool without `configure` takes no config. Must be pure. */
  readonly configure?: (config: JsonObject) => ConfiguredTool;
  /** @param parameters - already validated against the tool's `parameters`. */
  execute(parameters: Readonly<Record<string, unknown>>, context: BuiltinContext): Promise<BuiltinOutcome>;
}

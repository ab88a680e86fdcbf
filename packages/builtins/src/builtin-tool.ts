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
  /** The time at which the call ends even if the tool has not finished, in ms since the epoch. */
  readonly deadline: number;
  /** The workspace of the call. A tool must not read data of other workspaces. */
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** Sends a request to the agent's own model; absent if that model, such as a scripted one, cannot reply. */
  readonly askModel?: AskModel;
  /**
   * Registers a function that returns the cost so far, for a tool that pays for a service while it works. If the call
   * ends before the tool does, that cost counts; otherwise the cost in the tool's outcome counts.
   */
  readonly onSpending?: (costSoFar: () => Cost) => void;
}

/** The reason why a built-in tool returned no result. `code` is one of the gateway's error codes. */
export interface BuiltinError {
  readonly code: ErrorCode;
  /** Text for the model. */
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}

/** The outcome of a call, and the amount that a service charged for it; default: no cost. */
export type BuiltinOutcome = ({ readonly result: unknown } | { readonly error: BuiltinError }) & {
  readonly cost?: Cost;
};

/**
 * A tool configured with the `config` of an agent's tool entry, or the errors in that config. The paths of errors are
 * relative to the config.
 */
export type ConfiguredTool = { readonly tool: BuiltinTool } | { readonly problems: readonly FieldError[] };

/** A tool whose code is part of the gateway. */
export interface BuiltinTool {
  readonly name: BuiltinName;
  /** Text for the model. */
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  /** Built-in tools change nothing outside the gateway. */
  readonly sideEffect: "read_only";
  /** The risk class: `external_read` for tools that return content from third parties; default `read_only`. */
  readonly risk?: Extract<RiskClass, "read_only" | "external_read">;
  /**
   * The kind, by which policies allow or deny the tool: `compute` stays inside the process, `network` sends requests,
   * `data` reads stored data.
   */
  readonly kind: "compute" | "network" | "data";
  /** Whether calls can succeed; otherwise each call fails with `NOT_CONFIGURED`. */
  readonly isConfigured: boolean;
  /** How an operator configures the tool, phrased to follow a colon in a message. */
  readonly remedy?: string;
  /** For a network tool: whether the agent's author trusts the content that it returns; default false. */
  readonly isTrusted?: boolean;
  /** Whether calls may use the agent's model. */
  readonly asksModel?: boolean;
  /** Time limit of one call, in ms; default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum size of the serialised arguments in characters, up to 4,194,304; default 1,048,576. */
  readonly maxArgumentCharacters?: number;
  /** Configures the tool with an agent's config; must be pure. A tool without `configure` accepts no config. */
  readonly configure?: (config: JsonObject) => ConfiguredTool;
  /**
   * Runs one call.
   *
   * @param parameters - the model's arguments, already validated against the tool's `parameters`.
   */
  execute(parameters: Readonly<Record<string, unknown>>, context: BuiltinContext): Promise<BuiltinOutcome>;
}

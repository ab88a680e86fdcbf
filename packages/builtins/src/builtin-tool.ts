import type { Cost, ErrorCode, FieldError, JsonObject, RiskClass } from "@yagate/protocol";
import type { AskModel } from "./ask-model.ts";

/** The schema of a tool's parameters: JSON Schema 2020-12, always of an object. */
export interface JsonSchemaObject {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** What a tool that the gateway itself carries may use. */
export interface BuiltinContext {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** ms since the epoch; whatever is not done by then is over. */
  readonly deadline: number;
  /** Whose call it is: what is stored of others must not be read. */
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** Asks the agent's own model; absent where it has none that could answer, such as a scripted one. */
  readonly askModel?: AskModel;
  /**
   * Called by a tool that pays others while it works, with what tells the cost so far: that counts where the call ends
   * before the tool does. What the tool tells in its outcome counts otherwise.
   */
  readonly onSpending?: (costSoFar: () => Cost) => void;
}

/** Why a built-in tool gave no result: always an error of the gateway. */
export interface BuiltinError {
  readonly code: ErrorCode;
  /** For the model. */
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}

/** What came of a call, and what others charge for it; default nothing. */
export type BuiltinOutcome = ({ readonly result: unknown } | { readonly error: BuiltinError }) & {
  readonly cost?: Cost;
};

/** A tool with the `config` of one agent's entry, or what is wrong with that; paths begin in the configuration. */
export type ConfiguredTool = { readonly tool: BuiltinTool } | { readonly problems: readonly FieldError[] };

/** A tool that needs no webhook. */
export interface BuiltinTool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  /** None of them changes anything outside. */
  readonly sideEffect: "read_only";
  /** Default `read_only`; `external_read` for what strangers wrote. */
  readonly risk?: Extract<RiskClass, "read_only" | "external_read">;
  /** What a policy allows or denies: `compute` stays inside the process, `network` leaves it, `data` reads stored data. */
  readonly kind: "compute" | "network" | "data";
  /** Whether calls can succeed; otherwise each answers `NOT_CONFIGURED`. */
  readonly isConfigured: boolean;
  /** What an operator does to configure it, in words that follow a colon. */
  readonly remedy?: string;
  /** Of a network tool: what it brings was written by people whom the agent's author trusts; default false. */
  readonly isTrusted?: boolean;
  /** Its calls may ask the agent's model. */
  readonly asksModel?: boolean;
  /** Longest time of one call, in ms; default 10 000. */
  readonly timeoutMs?: number;
  /** Of a call's arguments, serialised: up to 4 194 304; default 1 048 576. */
  readonly maxArgumentCharacters?: number;
  /** Makes the tool as an agent's author wants it. Without it the tool takes no configuration. Pure. */
  readonly configure?: (config: JsonObject) => ConfiguredTool;
  /** @param parameters - already checked against `parameters` of the tool. */
  execute(parameters: Readonly<Record<string, unknown>>, context: BuiltinContext): Promise<BuiltinOutcome>;
}

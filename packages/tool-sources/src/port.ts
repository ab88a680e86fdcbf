import type {
  HandlerSourceSettings,
  HandlerToolDefinition,
  JsonObject,
  McpSourceSettings,
  OpenApiSourceSettings,
  RestDefinition,
  RestToolDefinition,
  RiskClass,
  SideEffect,
} from "@yagate/protocol";

/** A tool as its source publishes it. */
export type RawTool = DescribedTool | RawOperation;

/** A tool as a handler or an MCP server describes it. */
export interface DescribedTool {
  /** The name that the source publishes and that calls contain. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
  /** Timeout of one attempt in ms. */
  readonly timeout?: number | undefined;
  /** Whether the result may arrive by callback. */
  readonly async?: boolean | undefined;
  readonly usageNotes?: string | undefined;
  /** The language of the texts, as a two-letter code. */
  readonly language?: string | undefined;
  /** What an MCP server claims about the tool, for people only. It is not part of the definition's hash. */
  readonly annotations?: JsonObject | undefined;
  /** What generated the schemas, such as `zod 4.6.7`. It is not part of the definition's hash. */
  readonly generator?: string | undefined;
}

/** An operation of an OpenAPI document. */
export interface RawOperation {
  /** The name that the source publishes. */
  readonly name: string;
  /** The request of the operation. Only that of a workspace tool that follows the operation has a credential. */
  readonly rest: RestDefinition;
  /** The security scheme whose secret the calls need; null if none is known. */
  readonly scheme: string | null;
  /** The alternatives that the document declares: the required scopes by security scheme. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly annotations?: undefined;
  readonly generator?: undefined;
}

/** The settings of a source that its tools' definitions depend on. */
export type CompileSettings = {
  /** Name of the source. */
  readonly name: string;
} & (
  | Readonly<Pick<HandlerSourceSettings, "kind" | "url" | "signingSecret" | "defaults" | "overrides">>
  | Readonly<Pick<McpSourceSettings, "kind" | "url" | "auth" | "defaults" | "overrides">>
  | Readonly<
      Pick<OpenApiSourceSettings, "kind" | "url" | "auth" | "credential" | "credentials" | "defaults" | "overrides">
    >
);

/** A tool of an MCP server with everything that determines its calls. */
export interface McpToolDefinition
  extends Pick<HandlerToolDefinition, "name" | "description" | "parameters" | "usageNotes">,
    Readonly<McpSourceSettings["defaults"]> {
  readonly mcp: Readonly<Pick<McpSourceSettings, "url" | "auth">>;
}

/**
 * The definition of a tool of any kind of source. An operation of an OpenAPI document has the name that the model reads,
 * any other tool the name that the source publishes.
 */
export type SourcedDefinition = HandlerToolDefinition | McpToolDefinition | RestToolDefinition;

/** A tool's complete definition: everything that a model may read and everything that determines its calls. */
export interface CompiledTool {
  /** The name that the model reads. */
  readonly toolName: string;
  readonly definition: SourcedDefinition;
  readonly outputSchema?: JsonObject | undefined;
  /** The security that an OpenAPI document declares for the operation. */
  readonly security?: Pick<RawOperation, "scheme" | "security"> | undefined;
}

/** A definition of a tool, identified by its hash. It never changes. */
export interface ToolDefinitionVersion {
  /** `sha256:` and 64 hex digits. */
  readonly hash: string;
  readonly raw: RawTool;
  readonly compiled: CompiledTool;
}

/** What is known of one tool of a source. */
export interface KnownTool {
  /** The name that the source publishes. */
  readonly name: string;
  /** The definition of the latest sync; null if the source no longer publishes the tool. */
  readonly published: ToolDefinitionVersion | null;
  /** The accepted definition; null while no definition is accepted. */
  readonly accepted: ToolDefinitionVersion | null;
}

/** A change to make to what is known of a source's tools. Tools that it does not name stay unchanged. */
export interface ToolsChange {
  /** The new states. A tool that is neither published nor accepted is forgotten. */
  readonly tools: readonly KnownTool[];
  /** Names of the tools whose definitions may no longer run, even in executions that have started. */
  readonly withdrawn: readonly string[];
  /** Names of the tools whose acceptance a person revokes. */
  readonly revoked?: readonly string[];
}

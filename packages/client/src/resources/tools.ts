import { isObject } from "@yagate/lib/json/json-object";
import {
  type CreateWorkspaceTool,
  type ImportedToolkit,
  type ImportOperations,
  type ImportTools,
  importedToolkitSchema,
  importOperationsSchema,
  type JsonObject,
  type ListImportOperations,
  type PreviewTool,
  pageSchema,
  type ToolPreview,
  type ToolStatus,
  toolIdSchema,
  toolPreviewSchema,
  type UpdateWorkspaceTool,
  type WorkspaceTool,
  type WorkspaceToolKind,
  type WorkspaceToolTest,
  workspaceToolSchema,
  workspaceToolTestSchema,
  YagateError,
} from "@yagate/protocol";
import { toWireTools } from "../agents/to-wire-tools.ts";
import type { ComposedToolInput, HandlerToolInput, ToolInput } from "../agents/tool-input.ts";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

/** The definition of a workspace tool. `parameters` of a handler or composed tool may be a Zod 4 object. */
export type WorkspaceToolDefinitionInput =
  | HandlerToolInput
  | ComposedToolInput
  | Extract<CreateWorkspaceTool["definition"], { rest: unknown }>;

/** A new workspace tool. */
export interface WorkspaceToolInput extends Omit<CreateWorkspaceTool, "definition"> {
  readonly definition: WorkspaceToolDefinitionInput;
}

/**
 * A change to a tool. Omitted fields keep their values. If `version` is set and is not the tool's current version, the
 * gateway rejects the change.
 */
export interface WorkspaceToolChange extends Omit<UpdateWorkspaceTool, "definition"> {
  readonly definition?: WorkspaceToolDefinitionInput | undefined;
}

/** Which tools to list. */
export interface ToolListQuery extends ListQuery {
  /** Lists only the tool with this name. */
  readonly name?: string | undefined;
  readonly status?: ToolStatus | undefined;
  readonly kind?: WorkspaceToolKind | undefined;
  readonly toolkitId?: string | undefined;
}

/** Options for `tools.test`. */
export interface TestToolOptions extends CallOptions {
  /** The arguments of the call. Default: none. */
  readonly parameters?: JsonObject | undefined;
  /** Must be true for every method except GET, because the test sends a real request. */
  readonly confirm?: boolean | undefined;
}

/** Options for `tools.validate` and `tools.finalize`. */
export interface AdvanceToolOptions extends CallOptions {
  /** If this is set and is not the tool's current version, the gateway rejects the request. */
  readonly version?: number | undefined;
}

const toolPageSchema = pageSchema(workspaceToolSchema);

/** Workspace tools, which any agent in the workspace can use. The key needs the scope `tools`. */
export class Tools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a tool. A REST tool starts as `configured` or `draft`; agents can use it when `test`, `validate` and
   * `finalize` have made it `created`. Other tools are `created` immediately.
   *
   * @throws YagateError `INVALID_REQUEST` if `definition` is missing; ApiError 422 with all errors in the definition.
   */
  async create(tool: WorkspaceToolInput, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    requireDefinition(tool);
    return this.#send("POST", "/v1/tools", { ...tool, definition: toWire(tool.definition) }, signal);
  }

  /** Gets the current version of a tool. */
  async get(toolId: string, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    return this.#transport.json({ method: "GET", path: pathOf(toolId), signal }, workspaceToolSchema);
  }

  /** Lists tools, newest first. */
  list(query: ToolListQuery = {}): PagedList<WorkspaceTool> {
    const { name, status, kind, toolkitId, ...page } = query;
    const filter = { name, status, kind, toolkitId };
    return toPagedList({ transport: this.#transport, path: "/v1/tools", schema: toolPageSchema, filter }, page);
  }

  /**
   * Creates the next version of a tool. Agents keep the version that they use.
   *
   * @throws ApiError `CONFLICT` if `version` is set and is not the current version, or if another change was made at
   *   the same time.
   */
  async update(toolId: string, change: WorkspaceToolChange, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    const { definition, ...rest } = change;
    const body = definition === undefined ? rest : { ...rest, definition: toWire(definition) };
    return this.#send("PATCH", pathOf(toolId), body, signal);
  }

  /** Archives a tool. Agents that use it keep their version of the tool. */
  async delete(toolId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(toolId), signal });
  }

  /** Lists the versions of a tool, newest first. */
  versions(toolId: string, query: ListQuery = {}): PagedList<WorkspaceTool> {
    const path = `${pathOf(toolId)}/versions`;
    return toPagedList({ transport: this.#transport, path, schema: toolPageSchema }, query);
  }

  /**
   * Tests a tool with a real call. `lastTest` in the result contains the outcome.
   *
   * @throws ApiError 422 without `confirm` for a method other than GET, and for arguments that do not match the tool's
   *   schema.
   */
  async test(toolId: string, options: TestToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["parameters", "confirm", "signal"], "tools.test");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/test`, body, signal);
  }

  /** Gets the latest test of a tool, with the complete response. */
  async getTest(toolId: string, { signal }: CallOptions = {}): Promise<WorkspaceToolTest> {
    return this.#transport.json({ method: "GET", path: `${pathOf(toolId)}/test`, signal }, workspaceToolTestSchema);
  }

  /**
   * Marks a tested tool as correct.
   *
   * @throws ApiError `CONFLICT` if the tool has not been tested.
   */
  async validate(toolId: string, options: AdvanceToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["version", "signal"], "tools.validate");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/validate`, body, signal);
  }

  /**
   * Makes a validated tool available to agents.
   *
   * @throws ApiError `CONFLICT` if the tool has not been validated.
   */
  async finalize(toolId: string, options: AdvanceToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["version", "signal"], "tools.finalize");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/finalize`, body, signal);
  }

  /** Returns exactly what a call would send, with secrets as `***NAME***`. Sends nothing. */
  async preview(request: PreviewTool, { signal }: CallOptions = {}): Promise<ToolPreview> {
    const call = { method: "POST", path: "/v1/tools/preview", body: request, signal } as const;
    return this.#transport.json(call, toolPreviewSchema);
  }

  /** Lists the operations in an OpenAPI document, or only those that match a selection. Creates nothing. */
  async importOperations(request: ListImportOperations, { signal }: CallOptions = {}): Promise<ImportOperations> {
    const call = { method: "POST", path: "/v1/tools/import/operations", body: request, signal } as const;
    return this.#transport.json(call, importOperationsSchema);
  }

  /**
   * Creates a toolkit with a draft tool for each selected operation in an OpenAPI document. Creates either all drafts
   * or nothing.
   */
  async import(request: ImportTools, { signal }: CallOptions = {}): Promise<ImportedToolkit> {
    const call = { method: "POST", path: "/v1/tools/import", body: request, signal, repeat: "refused" } as const;
    return this.#transport.json(call, importedToolkitSchema);
  }

  #send(method: "POST" | "PATCH", path: string, body: object, signal: AbortSignal | undefined): Promise<WorkspaceTool> {
    return this.#transport.json({ method, path, body, signal, repeat: "refused" }, workspaceToolSchema);
  }
}

/**
 * Rejects a definition that was passed directly instead of as `{ definition }`, which plain JavaScript would not
 * detect.
 */
function requireDefinition(tool: unknown): void {
  const definition = isObject(tool) && "definition" in tool ? tool.definition : undefined;
  if (isObject(definition)) return;
  throw new YagateError(
    "INVALID_REQUEST",
    "tools.create: expected the tool's definition as an object in the field definition",
    {
      hint: "write tools.create({ definition: { rest: … } }), with slots and other fields next to definition",
    },
  );
}

function toWire(definition: WorkspaceToolDefinitionInput): unknown {
  if ("rest" in definition) return definition;
  const tools: readonly ToolInput[] = [definition];
  return toWireTools({ tools }).tools?.[0];
}

function pathOf(toolId: string): string {
  return `/v1/tools/${requireId(toolIdSchema, toolId)}`;
}

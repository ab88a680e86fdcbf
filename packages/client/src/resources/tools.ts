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

/** What a tool is made of: as on the wire, and the parameters of a webhook or a template may be a Zod 4 object. */
export type WorkspaceToolDefinitionInput =
  | HandlerToolInput
  | ComposedToolInput
  | Extract<CreateWorkspaceTool["definition"], { rest: unknown }>;

/** A new tool of the workspace. */
export interface WorkspaceToolInput extends Omit<CreateWorkspaceTool, "definition"> {
  readonly definition: WorkspaceToolDefinitionInput;
}

/** A change of a tool: what is left out stays. With `version`, only if that is still the current one. */
export interface WorkspaceToolChange extends Omit<UpdateWorkspaceTool, "definition"> {
  readonly definition?: WorkspaceToolDefinitionInput | undefined;
}

/** Which tools to list. */
export interface ToolListQuery extends ListQuery {
  /** The one of this name. */
  readonly name?: string | undefined;
  readonly status?: ToolStatus | undefined;
  readonly kind?: WorkspaceToolKind | undefined;
  readonly toolkitId?: string | undefined;
}

/** How to test a tool. */
export interface TestToolOptions extends CallOptions {
  /** Default: none. */
  readonly parameters?: JsonObject | undefined;
  /** Needed for every method but GET: the call is real. */
  readonly confirm?: boolean | undefined;
}

/** How to validate and to finalize a tool. */
export interface AdvanceToolOptions extends CallOptions {
  /** Only if this is still the current version. */
  readonly version?: number | undefined;
}

const toolPageSchema = pageSchema(workspaceToolSchema);

/** The tools of the workspace, which any of its agents can have. The key needs the scope `tools`. */
export class Tools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a tool. Requests go from `configured` to `created` by a test; everything else is `created` at once.
   *
   * @throws YagateError `INVALID_REQUEST` without a `definition`; ApiError 422 that names all that is wrong in it.
   */
  async create(tool: WorkspaceToolInput, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    requireDefinition(tool);
    return this.#send("POST", "/v1/tools", { ...tool, definition: toWire(tool.definition) }, signal);
  }

  async get(toolId: string, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    return this.#transport.json({ method: "GET", path: pathOf(toolId), signal }, workspaceToolSchema);
  }

  /** Newest first. */
  list(query: ToolListQuery = {}): PagedList<WorkspaceTool> {
    const { name, status, kind, toolkitId, ...page } = query;
    const filter = { name, status, kind, toolkitId };
    return toPagedList({ transport: this.#transport, path: "/v1/tools", schema: toolPageSchema, filter }, page);
  }

  /**
   * Makes the next version of a tool. Agents stay on theirs.
   *
   * @throws ApiError `CONFLICT` when `version` is given and no longer the current one, or somebody else was quicker.
   */
  async update(toolId: string, change: WorkspaceToolChange, { signal }: CallOptions = {}): Promise<WorkspaceTool> {
    const { definition, ...rest } = change;
    const body = definition === undefined ? rest : { ...rest, definition: toWire(definition) };
    return this.#send("PATCH", pathOf(toolId), body, signal);
  }

  /** Archives a tool: agents that have it keep their version of it. */
  async delete(toolId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: pathOf(toolId), signal });
  }

  /** Newest first. */
  versions(toolId: string, query: ListQuery = {}): PagedList<WorkspaceTool> {
    const path = `${pathOf(toolId)}/versions`;
    return toPagedList({ transport: this.#transport, path, schema: toolPageSchema }, query);
  }

  /**
   * Calls a tool once, for real; `lastTest` of the answer says what came of it.
   *
   * @throws ApiError 422 without `confirm` for a method that is not GET, and for arguments that the tool does not take.
   */
  async test(toolId: string, options: TestToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["parameters", "confirm", "signal"], "tools.test");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/test`, body, signal);
  }

  /** The last test of a tool, with the answer in full. */
  async getTest(toolId: string, { signal }: CallOptions = {}): Promise<WorkspaceToolTest> {
    return this.#transport.json({ method: "GET", path: `${pathOf(toolId)}/test`, signal }, workspaceToolTestSchema);
  }

  /** Says that a tested tool is as it should be. @throws ApiError `CONFLICT` for one that is not tested. */
  async validate(toolId: string, options: AdvanceToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["version", "signal"], "tools.validate");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/validate`, body, signal);
  }

  /** Makes a validated tool one that agents can use. @throws ApiError `CONFLICT` for one that is not validated. */
  async finalize(toolId: string, options: AdvanceToolOptions = {}): Promise<WorkspaceTool> {
    requireKnownOptions(options, ["version", "signal"], "tools.finalize");
    const { signal, ...body } = options;
    return this.#send("POST", `${pathOf(toolId)}/finalize`, body, signal);
  }

  /** Shows exactly what a call would send, secrets as `***NAME***`. Nothing is sent. */
  async preview(request: PreviewTool, { signal }: CallOptions = {}): Promise<ToolPreview> {
    const call = { method: "POST", path: "/v1/tools/preview", body: request, signal } as const;
    return this.#transport.json(call, toolPreviewSchema);
  }

  /** Lists the operations of an OpenAPI document, or those that match a selection. Nothing is made. */
  async importOperations(request: ListImportOperations, { signal }: CallOptions = {}): Promise<ImportOperations> {
    const call = { method: "POST", path: "/v1/tools/import/operations", body: request, signal } as const;
    return this.#transport.json(call, importOperationsSchema);
  }

  /** Makes a toolkit with a draft for each chosen operation of an OpenAPI document, all of them or none. */
  async import(request: ImportTools, { signal }: CallOptions = {}): Promise<ImportedToolkit> {
    const call = { method: "POST", path: "/v1/tools/import", body: request, signal, repeat: "refused" } as const;
    return this.#transport.json(call, importedToolkitSchema);
  }

  #send(method: "POST" | "PATCH", path: string, body: object, signal: AbortSignal | undefined): Promise<WorkspaceTool> {
    return this.#transport.json({ method, path, body, signal, repeat: "refused" }, workspaceToolSchema);
  }
}

/** A definition in the place of what has it is easily written where no compiler looks. */
function requireDefinition(tool: unknown): void {
  const definition = typeof tool === "object" && tool !== null && "definition" in tool ? tool.definition : undefined;
  if (typeof definition === "object" && definition !== null) return;
  throw new YagateError("INVALID_REQUEST", "tools.create: expected definition, what the tool is, as an object", {
    hint: "write tools.create({ definition: { rest: … } }); slots and the like stand beside it",
  });
}

function toWire(definition: WorkspaceToolDefinitionInput): unknown {
  if ("rest" in definition) return definition;
  const tools: readonly ToolInput[] = [definition];
  return toWireTools({ tools }).tools?.[0];
}

function pathOf(toolId: string): string {
  return `/v1/tools/${requireId(toolIdSchema, toolId)}`;
}

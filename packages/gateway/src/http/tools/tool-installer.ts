import {
  type DraftRestToolDefinition,
  type FieldError,
  type InstalledToolkit,
  type importToolsSchema,
  type installToolTemplateSchema,
  type JsonObject,
  type ToolTemplate,
  toFieldErrors,
  toolNameSchema,
  type WorkspaceTool,
  YagateError,
} from "@yagate/protocol";
import type { z } from "zod";
import type { ToolkitStore, ToolStore } from "../../journal/tool-rows.ts";
import { InvalidRequestError } from "../problem.ts";
import { type ToolWriter, withCredential } from "./tool-writer.ts";

/** Requests that are read out of a document, or what is wrong with the document, at `openapi` and `operations`. */
export type OpenApiReading =
  | { readonly title: string; readonly definitions: readonly DraftRestToolDefinition["rest"][] }
  | { readonly problems: readonly FieldError[] };

/** Reads the chosen operations of an OpenAPI document; all of them without `operations`. */
export type ReadOpenApi = (
  document: string | JsonObject,
  operations: readonly string[] | undefined,
) => Promise<OpenApiReading>;

/** Ready toolkits for public APIs. */
export interface ToolTemplates {
  /** In the order of their ids. */
  readonly all: readonly ToolTemplate[];
  /**
   * Copies the chosen definitions, with these values fixed; all of them without `tools`.
   * @throws YagateError `INVALID_REQUEST` for a tool or a parameter that the template does not have.
   */
  copy(
    templateId: string,
    chosen: { readonly tools?: readonly string[]; readonly values: JsonObject },
  ): readonly DraftRestToolDefinition["rest"][];
}

export interface ToolInstallerOptions {
  readonly tools: Pick<ToolStore, "create">;
  readonly toolkits: Pick<ToolkitStore, "find">;
  readonly writer: Pick<ToolWriter, "prepare">;
  readonly templates: ToolTemplates;
  readonly readOpenApi: ReadOpenApi;
  readonly now: () => number;
  readonly newToolkitId: () => string;
}

/** Makes whole toolkits, each with all of its tools or not at all. */
export interface ToolInstaller {
  /**
   * Clones a template: tools that are complete are `configured`, others drafts.
   * @throws InvalidRequestError; YagateError `NOT_FOUND`, `CONFLICT` for names that are taken.
   */
  install(
    workspaceId: string,
    templateId: string,
    request: z.output<typeof installToolTemplateSchema>,
  ): Promise<InstalledToolkit>;
  /** Makes a draft of each chosen operation. @throws InvalidRequestError; YagateError `CONFLICT` for names that are taken. */
  importOpenApi(workspaceId: string, request: z.output<typeof importToolsSchema>): Promise<InstalledToolkit>;
}

interface NewToolkit {
  readonly name: string;
  readonly provider: string;
  readonly credential: string | null;
  readonly namePrefix: string | undefined;
  readonly definitions: readonly DraftRestToolDefinition["rest"][];
  /** Whether what is complete stays a draft all the same, until somebody has looked at it. */
  readonly areDrafts: boolean;
}

const MAX_NAME_CHARACTERS = 200;

export function createToolInstaller(options: ToolInstallerOptions): ToolInstaller {
  const { tools, toolkits, writer, templates, readOpenApi, now, newToolkitId } = options;

  async function make(workspaceId: string, toolkit: NewToolkit): Promise<InstalledToolkit> {
    const { provider, credential, namePrefix = "", definitions, areDrafts } = toolkit;
    const id = newToolkitId();
    const name = toolkit.name.slice(0, MAX_NAME_CHARACTERS);
    const prefixed = definitions.map((rest) => ({ rest: { ...rest, name: `${namePrefix}${rest.name}` } }));
    assertNames(prefixed);
    const made: WorkspaceTool[] = [];
    for (const definition of prefixed) {
      made.push(await writer.prepare(workspaceId, withCredential(definition, credential), { id, areDrafts }));
    }
    const at = now();
    const row = { id, workspaceId, name, provider, credential, createdAt: at, updatedAt: at };
    await tools.create(workspaceId, made, row);
    const saved = await toolkits.find(workspaceId, id);
    if (saved === undefined) throw new YagateError("INTERNAL", "expected the toolkit that was just made");
    return { toolkit: saved, tools: made };
  }

  return {
    async install(workspaceId, templateId, { credential, toolkitName, tools: chosen, values, namePrefix }) {
      const template = templates.all.find(({ id }) => id === templateId);
      if (template === undefined) throw noSuchTemplate();
      const { service: provider } = template;
      const definitions = templates.copy(templateId, { ...(chosen === undefined ? {} : { tools: chosen }), values });
      const name = toolkitName ?? provider;
      return make(workspaceId, { name, provider, credential, namePrefix, definitions, areDrafts: false });
    },
    async importOpenApi(workspaceId, { openapi, operations, credential, toolkitName, namePrefix }) {
      const reading = await readOpenApi(openapi, operations);
      if ("problems" in reading) throw new InvalidRequestError(reading.problems);
      const { title, definitions } = reading;
      const name = toolkitName ?? title;
      return make(workspaceId, { name, provider: title, credential, namePrefix, definitions, areDrafts: true });
    },
  };
}

export function noSuchTemplate(): YagateError {
  return new YagateError("NOT_FOUND", "there is no template of this id; GET /v1/tool-templates lists them");
}

/** A prefix can make a name too long. */
function assertNames(definitions: readonly DraftRestToolDefinition[]): void {
  const problems = definitions.flatMap(({ rest }) => {
    const parsed = toolNameSchema.safeParse(rest.name);
    if (parsed.success) return [];
    return toFieldErrors(parsed.error).map((error) => ({
      ...error,
      path: "namePrefix",
      message: `${rest.name}: ${error.message}`,
    }));
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

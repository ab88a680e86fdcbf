import {
  type DraftRestToolDefinition,
  type ImportedToolkit,
  type InstalledToolkit,
  type importToolsSchema,
  type installToolTemplateSchema,
  type StoredWorkspaceTool,
  toFieldErrors,
  toolNameSchema,
  toWarning,
  type Warning,
  YagateError,
} from "@yagate/protocol";
import type * as z from "zod";
import type { ChangeRecorder } from "../../journal/audit-rows.ts";
import type { ToolkitStore, ToolStore } from "../../journal/tool-rows.ts";
import { fieldPath } from "../../tools/field-path.ts";
import type { OpenApiImport } from "../../tools/rest/openapi/openapi-import.ts";
import type { ApiTemplate } from "../../tools/rest/templates/api-template.ts";
import { type InstallOptions, installTemplate } from "../../tools/rest/templates/install-template.ts";
import { InvalidRequestError } from "../problem.ts";
import { TOOL_SUBJECT, TOOLKIT_SUBJECT } from "./audit-subjects.ts";
import { refuseField } from "./refuse-field.ts";
import { type ToolWriter, withCredential } from "./tool-writer.ts";

/**
 * Reads the chosen operations of an OpenAPI document; all of them without `operations`.
 * @throws YagateError `INVALID_REQUEST` for what is no such document, and for operations that it has not.
 */
export type ReadOpenApi = (
  document: unknown,
  options: { readonly operations?: readonly string[]; readonly server?: string },
) => Promise<OpenApiImport>;

export interface ToolInstallerOptions {
  readonly tools: Pick<ToolStore, "create">;
  readonly toolkits: Pick<ToolkitStore, "find">;
  readonly writer: Pick<ToolWriter, "prepare">;
  /** In the order of their ids. */
  readonly templates: readonly ApiTemplate[];
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
    recorder?: ChangeRecorder,
  ): Promise<InstalledToolkit>;
  /** Makes a draft of each chosen operation. @throws InvalidRequestError; YagateError `CONFLICT` for names that are taken. */
  importOpenApi(
    workspaceId: string,
    request: z.output<typeof importToolsSchema>,
    recorder?: ChangeRecorder,
  ): Promise<ImportedToolkit>;
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

  async function make(
    workspaceId: string,
    toolkit: NewToolkit,
    recorder: ChangeRecorder | undefined,
  ): Promise<InstalledToolkit> {
    const { provider, credential, namePrefix = "", definitions, areDrafts } = toolkit;
    const id = newToolkitId();
    const name = toolkit.name.slice(0, MAX_NAME_CHARACTERS);
    const prefixed = definitions.map((rest) => ({ rest: { ...rest, name: `${namePrefix}${rest.name}` } }));
    assertNames(prefixed);
    const made: StoredWorkspaceTool[] = [];
    const answered: StoredWorkspaceTool[] = [];
    for (const definition of prefixed) {
      const whole = withCredential(definition, credential);
      const { tool, found } = await writer.prepare(workspaceId, whole, { id, areDrafts });
      made.push(tool);
      answered.push({ ...tool, ...found });
    }
    const at = now();
    const row = { id, workspaceId, name, provider, credential, createdAt: at, updatedAt: at };
    const audit = recorder && {
      tool: recorder.of(workspaceId, "tool.created", TOOL_SUBJECT),
      toolkit: recorder.of(workspaceId, "toolkit.created", TOOLKIT_SUBJECT),
    };
    await tools.create(workspaceId, made, row, audit);
    const saved = await toolkits.find(workspaceId, id);
    if (saved === undefined) throw new YagateError("INTERNAL", "expected the toolkit that was just made");
    return { toolkit: saved, tools: answered };
  }

  return {
    async install(workspaceId, templateId, { credential, toolkitName, tools: chosen, values, namePrefix }, recorder) {
      const template = templates.find(({ id }) => id === templateId);
      if (template === undefined) throw noSuchTemplate();
      const { service: provider } = template;
      const definitions = clone(template, { ...(chosen === undefined ? {} : { tools: chosen }), values });
      const name = toolkitName ?? provider;
      const toolkit = { name, provider, credential, namePrefix, definitions, areDrafts: false };
      return make(workspaceId, toolkit, recorder);
    },
    async importOpenApi(workspaceId, { openapi, operations, server, credential, toolkitName, namePrefix }, recorder) {
      const { title, drafts, skipped, problems, removed } = await readOpenApi(openapi, {
        ...(operations === undefined ? {} : { operations }),
        ...(server === undefined ? {} : { server }),
      }).catch((error: unknown) => refuseField(error, { name: "openapi", value: openapi }));
      if (drafts.length === 0) throw noDrafts(openapi, skipped);
      const toolkit = { name: toolkitName ?? title, provider: title, credential, namePrefix };
      const definitions = drafts.map(({ definition }) => definition);
      const made = await make(workspaceId, { ...toolkit, definitions, areDrafts: true }, recorder);
      const notes = drafts.flatMap((draft, index) =>
        draft.notes.map((note) => ({ tool: made.tools[index]?.name ?? draft.definition.name, note })),
      );
      const auth = new Map(drafts.flatMap((draft) => (draft.auth === null ? [] : [[draft.auth.scheme, draft.auth]])));
      return {
        ...{ ...made, warnings: warningsOf({ notes, skipped, problems, removed }), notes },
        skipped: skipped.map(({ operation, path, reason }) => ({ operation, path, reason })),
        problems: problems.map(({ path, message }) => ({ path, message })),
        ...(removed.length === 0
          ? {}
          : { removed: removed.map(({ path, codePoints, count }) => ({ path, codePoints: [...codePoints], count })) }),
        auth: [...auth.values()].map(({ scheme, auth: how, host, setup }) => ({ scheme, auth: how, host, setup })),
      };
    },
  };
}

function warningsOf({
  notes,
  skipped,
  problems,
  removed,
}: Pick<ImportedToolkit, "notes"> & Pick<OpenApiImport, "skipped" | "problems" | "removed">): Warning[] {
  return [
    ...notes.map(({ tool, note }) => toWarning("IMPORT_NOTE", tool, note)),
    ...skipped.map(({ operation, path, reason }) => toWarning("OPERATION_SKIPPED", path, `${operation}: ${reason}`)),
    ...problems.map(({ path, message }) => toWarning("DOCUMENT_PROBLEM", path, message)),
    ...removed.map(({ path, codePoints, count }) => {
      const message = `${count} invisible characters were taken out: ${codePoints.join(", ")}`;
      return toWarning("CHARACTERS_REMOVED", path, message);
    }),
  ];
}

function clone(template: ApiTemplate, options: InstallOptions): NewToolkit["definitions"] {
  try {
    return installTemplate(template, options);
  } catch (error) {
    return refuseField(error, { name: "tools", value: options.tools });
  }
}

function noDrafts(openapi: unknown, skipped: OpenApiImport["skipped"]): InvalidRequestError {
  const fields = skipped.map(({ operation, path, reason }) => ({
    ...{ path: fieldPath("openapi", openapi, path), code: "operation_skipped", message: `${operation}: ${reason}` },
  }));
  const none = { path: "openapi", code: "no_operations", message: "expected a document with operations" };
  return new InvalidRequestError(fields.length > 0 ? fields : [none]);
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

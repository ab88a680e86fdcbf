import { defined } from "@yagate/lib/objects/defined";
import { unusedName } from "@yagate/lib/text/unused-name";
import {
  type DraftRestToolDefinition,
  type ImportedToolkit,
  type ImportOperations,
  type InstalledToolkit,
  type importToolsSchema,
  type installToolTemplateSchema,
  type listImportOperationsSchema,
  MAX_TOOL_NAME_LENGTH,
  type StoredWorkspaceTool,
  toWarning,
  type Warning,
  YagateError,
} from "@yagate/protocol";
import type { ChangeRecorder, ToolkitStore, ToolStore } from "@yagate/store/port";
import type { ExpectedCredential } from "@yagate/tool-definitions/checks/credential-warnings";
import { fieldPath } from "@yagate/tool-definitions/field-path";
import type { OpenApiReader } from "@yagate/tool-definitions/openapi/import-openapi";
import type {
  ListedOperation,
  OpenApiImport,
  SecurityAlternative,
} from "@yagate/tool-definitions/openapi/openapi-import";
import type { ApiTemplate } from "@yagate/tool-definitions/templates/api-template";
import { type InstallOptions, installTemplate } from "@yagate/tool-definitions/templates/install-template";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { TOOL_SUBJECT, TOOLKIT_SUBJECT } from "./audit-subjects.ts";
import { withExistingTools } from "./existing-tools.ts";
import { type ToolWriter, withCredential } from "./tool-writer.ts";
import { type ToolkitWarnings, withWarnings } from "./with-warnings.ts";

export interface ToolInstallerOptions {
  readonly tools: Pick<ToolStore, "create" | "findByName">;
  readonly toolkits: Pick<ToolkitStore, "find">;
  readonly writer: Pick<ToolWriter, "prepare">;
  /** The templates, sorted by id. */
  readonly templates: readonly ApiTemplate[];
  readonly openApi: OpenApiReader;
  readonly now: () => number;
  readonly newToolkitId: () => string;
  readonly warningsOf: ToolkitWarnings;
}

/** Creates toolkits together with their tools, atomically. */
export interface ToolInstaller {
  /**
   * Installs a template. Complete tools get the status `configured`; others become drafts.
   * @throws InvalidRequestError.
   * @throws YagateError `NOT_FOUND`; `CONFLICT` for names that are in use.
   */
  install(
    workspaceId: string,
    templateId: string,
    request: z.output<typeof installToolTemplateSchema>,
    recorder?: ChangeRecorder,
  ): Promise<InstalledToolkit>;
  /**
   * Lists the selected operations of a document without saving anything.
   * @throws InvalidRequestError.
   */
  listOperations(workspaceId: string, request: z.output<typeof listImportOperationsSchema>): Promise<ImportOperations>;
  /**
   * Creates a draft for each selected operation.
   * @throws InvalidRequestError; with `CONFLICT` for names that are in use, and how the existing tools differ.
   */
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
  /** The credential that the service expects; undefined if it is not known. */
  readonly expected: ExpectedCredential | undefined;
  /** Whether complete tools become drafts too, so that a person reviews them first. */
  readonly areDrafts: boolean;
}

const MAX_NAME_CHARACTERS = 200;

export function createToolInstaller(options: ToolInstallerOptions): ToolInstaller {
  const { tools, toolkits, writer, templates, openApi, now, newToolkitId, warningsOf: ofCredential } = options;

  async function make(
    workspaceId: string,
    toolkit: NewToolkit,
    recorder: ChangeRecorder | undefined,
  ): Promise<InstalledToolkit> {
    const { provider, credential, namePrefix = "", definitions, expected, areDrafts } = toolkit;
    const id = newToolkitId();
    const name = toolkit.name.slice(0, MAX_NAME_CHARACTERS);
    const names = prefixNames(
      namePrefix,
      definitions.map((rest) => rest.name),
    );
    const prefixed = definitions.map((rest, index) => ({ rest: { ...rest, name: names[index] ?? rest.name } }));
    const made: StoredWorkspaceTool[] = [];
    const returned: StoredWorkspaceTool[] = [];
    for (const definition of prefixed) {
      const whole = withCredential(definition, credential);
      const { tool, found } = await writer.prepare(workspaceId, whole, { id, areDrafts });
      made.push(tool);
      returned.push({ ...tool, ...found });
    }
    const at = now();
    const row = { id, workspaceId, name, provider, credential, createdAt: at, updatedAt: at };
    const audit = recorder && {
      tool: recorder.of(workspaceId, "tool.created", TOOL_SUBJECT),
      toolkit: recorder.of(workspaceId, "toolkit.created", TOOLKIT_SUBJECT),
    };
    await tools.create(workspaceId, made, row, audit).catch(async (error: unknown) => {
      throw await withExistingTools(error, { workspaceId, wanted: made, store: tools });
    });
    const saved = await toolkits.find(workspaceId, id);
    if (saved === undefined) throw new YagateError("INTERNAL", "expected the toolkit that was just created");
    return { toolkit: withWarnings(saved, await ofCredential(workspaceId, credential, expected)), tools: returned };
  }

  return {
    async install(workspaceId, templateId, { credential, toolkitName, tools: chosen, values, namePrefix }, recorder) {
      const template = templates.find(({ id }) => id === templateId);
      if (template === undefined) throw noSuchTemplate();
      const { service: provider } = template;
      const definitions = clone(template, { ...defined({ tools: chosen }), values });
      const name = toolkitName ?? provider;
      const expected = { service: provider, auth: template.credential?.auth ?? null };
      const toolkit = { name, provider, credential, namePrefix, definitions, expected, areDrafts: false };
      return make(workspaceId, toolkit, recorder);
    },
    async listOperations(workspaceId, { openapi, ...selection }) {
      const { title, operations, skipped } = await openApi
        .list(openapi, { ...selection, owner: workspaceId })
        .catch((error: unknown) => refuseField(error, { name: "openapi", value: openapi }));
      return { title, operations: operations.map(toListed), skipped: skipped.map((one) => ({ ...one })) };
    },
    async importOpenApi(workspaceId, request, recorder) {
      const { openapi, credential, credentials = {}, toolkitName, namePrefix, ...reading } = request;
      const schemes = Object.keys(credentials);
      const { title, drafts, skipped, problems, removed } = await openApi
        .import(openapi, { ...reading, schemes, owner: workspaceId })
        .catch((error: unknown) => refuseField(error, { name: "openapi", value: openapi }));
      if (drafts.length === 0) throw noDrafts(openapi, skipped);
      const toolkit = { name: toolkitName ?? title, provider: title, credential, namePrefix };
      const definitions = drafts.map(({ definition, auth }) => {
        const own = auth === null || !Object.hasOwn(credentials, auth.scheme) ? undefined : credentials[auth.scheme];
        return own === undefined ? definition : { ...definition, credential: own };
      });
      const made = await make(workspaceId, { ...toolkit, definitions, expected: undefined, areDrafts: true }, recorder);
      const notes = drafts.flatMap((draft, index) =>
        draft.notes.map((note) => ({ tool: made.tools[index]?.name ?? draft.definition.name, note })),
      );
      const auth = new Map(
        drafts.flatMap((draft) =>
          draft.auth === null ? [] : [[`${draft.auth.scheme} ${draft.auth.host}`, draft.auth]],
        ),
      );
      const operations = drafts.map((draft, index) => ({
        operation: draft.operation,
        tool: made.tools[index]?.name ?? draft.definition.name,
        security: toSecurity(draft.security),
        scheme: draft.auth?.scheme ?? null,
      }));
      return {
        ...{ ...made, operations, warnings: warningsOf({ notes, skipped, problems, removed }), notes },
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
      const message = `${count} invisible characters were removed: ${codePoints.join(", ")}`;
      return toWarning("CHARACTERS_REMOVED", path, message);
    }),
  ];
}

function toListed({ tags, security, ...operation }: ListedOperation): ImportOperations["operations"][number] {
  return { ...operation, tags: [...tags], security: toSecurity(security) };
}

function toSecurity(alternatives: readonly SecurityAlternative[]): Record<string, string[]>[] {
  return alternatives.map((alternative) =>
    Object.fromEntries(Object.entries(alternative).map(([scheme, scopes]) => [scheme, [...scopes]])),
  );
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
    ...{ path: fieldPath("openapi", openapi, path), code: "OPERATION_SKIPPED", message: `${operation}: ${reason}` },
  }));
  const none = { path: "openapi", code: "NO_OPERATIONS", message: "expected a document with operations" };
  return new InvalidRequestError(fields.length > 0 ? fields : [none]);
}

export function noSuchTemplate(): YagateError {
  return new YagateError("NOT_FOUND", "no template with this id; GET /v1/tool-templates lists the templates");
}

/** Adds the prefix to each name, truncates the names to 64 characters, and numbers duplicates. */
function prefixNames(prefix: string, names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const unique = unusedName(`${prefix}${name}`, taken, MAX_TOOL_NAME_LENGTH);
    taken.add(unique);
    return unique;
  });
}

/**
 * A message that starts with the path of its problem: a JSON pointer into the document, or the name of another request
 * field.
 */
const PLACED = /^(?<place>\/\S*|[a-z]+): (?<message>.+)$/s;

/**
 * Converts an error about a document or template to an error about a field of the request.
 *
 * @param field - the request field that contains the document or template.
 * @throws InvalidRequestError with the path of the field; any other error unchanged.
 */
function refuseField(error: unknown, field: { readonly name: string; readonly value: unknown }): never {
  if (!YagateError.is(error) || error.code !== "INVALID_REQUEST" || error instanceof InvalidRequestError) throw error;
  const { place = "", message = error.message } = PLACED.exec(error.message)?.groups ?? {};
  const isPointer = place === "" || place.startsWith("/");
  const path = isPointer ? fieldPath(field.name, field.value, place) : place;
  throw new InvalidRequestError([{ path, code: "NOT_USABLE", message }]);
}

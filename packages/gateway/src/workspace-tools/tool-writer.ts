import {
  canonicalJson,
  type createWorkspaceToolSchema,
  DATABASE_SLOTS,
  type DraftRestToolDefinition,
  type StoredWorkspaceTool,
  type Toolkit,
  type ToolStatus,
  toToolWarning,
  type updateWorkspaceToolSchema,
  type WorkspaceToolDefinition,
  YagateError,
} from "@yagate/protocol";
import type { ChangeRecorder, ToolkitStore, ToolStore } from "@yagate/store/port";
import type { AgentCheck } from "@yagate/tool-definitions/agent-finding";
import { MAX_DEFINITION_BYTES } from "@yagate/tool-definitions/definition-limits";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { TOOL_SUBJECT } from "./audit-subjects.ts";
import { kindOf, nameOf } from "./complete-definition.ts";
import { checkDefinition, type ToolCheck } from "./tool-check.ts";

type NewTool = z.output<typeof createWorkspaceToolSchema>;
type ToolChange = z.output<typeof updateWorkspaceToolSchema>;

export interface ToolWriterOptions {
  readonly tools: ToolStore;
  readonly toolkits: Pick<ToolkitStore, "find">;
  readonly check: ToolCheck;
  readonly now: () => number;
  readonly newToolId: () => string;
}

/** Saves workspace tools: checks each tool and keeps every version. */
export interface ToolWriter {
  /**
   * Creates a tool.
   * @throws InvalidRequestError.
   * @throws YagateError `CONFLICT` for a name that is in use.
   */
  create(workspaceId: string, definition: NewTool, recorder?: ChangeRecorder): Promise<StoredWorkspaceTool>;
  /**
   * Creates the next version. A change without effect returns the current version.
   * @throws YagateError `CONFLICT` for an outdated `version`, a concurrent change, or a name that is in use;
   *   `NOT_FOUND`.
   * @throws InvalidRequestError.
   */
  update(
    workspaceId: string,
    toolId: string,
    change: ToolChange,
    recorder?: ChangeRecorder,
  ): Promise<StoredWorkspaceTool>;
  /**
   * Prepares a tool for a new toolkit without saving it. The result is a draft with its `problems`, or `configured` if
   * it is complete.
   */
  prepare(
    workspaceId: string,
    definition: DraftRestToolDefinition,
    toolkit: { readonly id: string; readonly areDrafts: boolean },
  ): Promise<{ readonly tool: StoredWorkspaceTool; readonly found: Found }>;
}

export function createToolWriter({ tools, toolkits, check, now, newToolId }: ToolWriterOptions): ToolWriter {
  /**
   * Returns the status with which a definition is saved.
   * @throws InvalidRequestError unless the definition is complete or a draft.
   */
  async function judge(workspaceId: string, definition: WorkspaceToolDefinition, isDraft: boolean): Promise<Judgement> {
    const kind = kindOf(definition);
    if (isDraft && kind !== "rest") {
      const message = "expected a REST tool: other tools cannot be drafts";
      throw new InvalidRequestError([{ path: "draft", code: "NOT_A_REST_TOOL", message }]);
    }
    assertSize(definition);
    const { errors, warnings } = await checkDefinition(check, workspaceId, definition);
    if (isDraft) return { status: "draft", found: { problems: [...errors], ...remarksOf(warnings) } };
    if (errors.length > 0) throw new InvalidRequestError(errors);
    return { status: kind === "rest" ? "configured" : "created", found: remarksOf(warnings) };
  }

  async function toolkitOf(workspaceId: string, toolkitId: string | null): Promise<Toolkit | undefined> {
    if (toolkitId === null) return undefined;
    const toolkit = await toolkits.find(workspaceId, toolkitId);
    if (toolkit !== undefined) return toolkit;
    const message = "expected a toolkit of this workspace, or null";
    throw new InvalidRequestError([{ path: "toolkitId", code: "UNKNOWN_TOOLKIT", message }]);
  }

  function newTool(
    definition: WorkspaceToolDefinition,
    fields: Pick<StoredWorkspaceTool, "status" | "toolkitId" | "capabilityKey" | "slots" | "warnings">,
  ): StoredWorkspaceTool {
    const at = new Date(now()).toISOString();
    return {
      ...{ id: newToolId(), version: 1, name: nameOf(definition), kind: kindOf(definition), definition },
      ...fields,
      ...{ lastTest: null, createdAt: at, updatedAt: at },
    };
  }

  return {
    async create(
      workspaceId,
      { definition: given, draft, toolkitId, capabilityKey, warnings, slots, access },
      recorder,
    ) {
      const toolkit = await toolkitOf(workspaceId, toolkitId);
      const definition = withCredential(given, toolkit?.credential ?? null);
      const { status, found } = await judge(workspaceId, definition, draft);
      const fields = {
        ...{ status, toolkitId, capabilityKey, warnings: warnings.map(toToolWarning) },
        slots: slotsOf({ slots, access }) ?? 1,
      };
      const tool = newTool(definition, fields);
      const audit = recorder && { tool: recorder.of(workspaceId, "tool.created", TOOL_SUBJECT) };
      await tools.create(workspaceId, [tool], undefined, audit);
      return { ...tool, ...found };
    },
    async prepare(workspaceId, definition, { id: toolkitId, areDrafts }) {
      assertSize(definition);
      const { errors, warnings } = await checkDefinition(check, workspaceId, definition);
      const isDraft = areDrafts || errors.length > 0;
      const status = isDraft ? "draft" : "configured";
      return {
        tool: newTool(definition, { status, toolkitId, capabilityKey: null, slots: 1, warnings: [] }),
        found: { ...(isDraft ? { problems: [...errors] } : {}), ...remarksOf(warnings) },
      };
    },
    async update(workspaceId, toolId, change, recorder) {
      const found = await tools.find(workspaceId, toolId);
      if (found === undefined || found.archivedAt !== null) throw noSuchTool();
      const current = found.tool;
      if (change.version !== undefined && change.version !== current.version) throw staleVersion(current.version);
      const { toolkitId = current.toolkitId, capabilityKey = current.capabilityKey } = change;
      const warnings = change.warnings?.map(toToolWarning) ?? current.warnings;
      if (toolkitId !== current.toolkitId) await toolkitOf(workspaceId, toolkitId);
      const definition = change.definition ?? current.definition;
      const isSameDefinition = canonicalJson(definition) === canonicalJson(current.definition);
      const isDraft = change.draft ?? (change.definition === undefined && current.status === "draft");
      const isJudged = !isSameDefinition || isDraft || current.status === "draft";
      const judged = isJudged ? await judge(workspaceId, toDefinition(definition), isDraft) : undefined;
      const next: StoredWorkspaceTool = {
        ...current,
        ...{ definition, name: nameOf(toDefinition(definition)), kind: kindOf(definition) },
        ...{ toolkitId, capabilityKey, warnings, slots: slotsOf(change) ?? current.slots },
        status: judged?.status ?? current.status,
        lastTest: isSameDefinition ? current.lastTest : null,
      };
      if (canonicalJson(next) === canonicalJson(current)) return { ...current, ...judged?.found };
      const saved = { ...next, version: current.version + 1, updatedAt: new Date(now()).toISOString() };
      const audit = recorder?.of(workspaceId, "tool.updated", TOOL_SUBJECT);
      await tools.update(workspaceId, saved, current.version, audit);
      return { ...saved, ...judged?.found };
    },
  };
}

/**
 * Checks the size of a definition as JSON.
 * @throws InvalidRequestError.
 */
function assertSize(definition: object): void {
  if (Buffer.byteLength(JSON.stringify(definition)) <= MAX_DEFINITION_BYTES) return;
  const message = `expected a definition of at most ${MAX_DEFINITION_BYTES} bytes of JSON`;
  throw new InvalidRequestError([{ path: "definition", code: "TOO_LARGE", message }]);
}

/** Findings about a definition that are part of the response. They are not saved, because they may change. */
type Found = Pick<StoredWorkspaceTool, "problems" | "remarks">;

interface Judgement {
  readonly status: ToolStatus;
  readonly found: Found;
}

function remarksOf(warnings: AgentCheck["warnings"]): Pick<Found, "remarks"> {
  return warnings.length === 0 ? {} : { remarks: [...warnings] };
}

export function noSuchTool(): YagateError {
  return new YagateError("NOT_FOUND", "no tool with this id in this workspace");
}

export function staleVersion(current: number): YagateError {
  return new YagateError("CONFLICT", `expected the current version, which is ${current}`);
}

/**
 * Adds the credential of its toolkit to a REST tool that specifies no credential. Returns other definitions unchanged.
 */
export function withCredential<Definition extends WorkspaceToolDefinition>(
  definition: Definition,
  credential: string | null,
): Definition {
  if (credential === null || !("rest" in definition) || definition.rest.credential !== undefined) return definition;
  return { ...definition, rest: { ...definition.rest, credential } };
}

/** Narrows the type. Every saved definition was validated by one of these schemas. */
function toDefinition(saved: StoredWorkspaceTool["definition"] | WorkspaceToolDefinition): WorkspaceToolDefinition {
  return saved as WorkspaceToolDefinition;
}

function slotsOf({ slots, access }: Pick<ToolChange, "slots" | "access">): number | undefined {
  return access === undefined ? slots : DATABASE_SLOTS[access];
}

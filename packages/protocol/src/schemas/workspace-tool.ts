import * as z from "zod";
import { type ComposedToolDefinition, composedToolSchema } from "./composed-tool.ts";
import { agentIdSchema, toolIdSchema, toolkitIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { resourceNameSchema, toolNameSchema } from "./names.ts";
import { openKinds, openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";
import { fieldErrorSchema } from "./problem.ts";
import { restDefinitionSchema } from "./rest-tool.ts";
import { type HandlerToolDefinition, handlerToolSchema } from "./tool-definition.ts";
import {
  authorWarningCodeSchema,
  authorWarningPathSchema,
  type WarningCode,
  warningSchema,
  warningSeveritySchema,
} from "./warning.ts";

/** Tool slots of one agent. */
export const MAX_TOOL_SLOTS = 25;
/** Slots of a tool that stands for a database, by what it may do there. */
export const DATABASE_SLOTS = { read: 2, write: 5, full: 7 } as const;
/** Bound of `lastTest.preview`, in bytes of JSON. */
export const MAX_TEST_PREVIEW_BYTES = 2_048;

/**
 * `draft`: parts may be missing. `configured`: complete. `tested`: its last test succeeded. `validated`: somebody looked
 * at it. `created`: agents can use it.
 */
export const toolStatusSchema = z.enum(["draft", "configured", "tested", "validated", "created"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

export const workspaceToolKindSchema = z.enum(["handler", "composed", "rest"]);
export type WorkspaceToolKind = z.infer<typeof workspaceToolKindSchema>;

const DEFAULT_CODE: WarningCode = "AUTHOR_NOTE";
const DEFAULT_PATH = "definition";
const warningText = z.string().min(1).max(1_000);
/**
 * A warning that the author of a tool gives, which the model reads with the usage notes: `{ severity, message }`, with a
 * `code` and a `path` of the author's if they like. `level` and `text` are older names of the first two.
 */
const givenToolWarningSchema = z
  .strictObject({
    severity: warningSeveritySchema.optional(),
    message: warningText.optional(),
    code: authorWarningCodeSchema.optional(),
    path: authorWarningPathSchema.optional(),
    level: warningSeveritySchema.optional(),
    text: warningText.optional(),
  })
  .superRefine(({ severity, level, message, text }, context) => {
    const expectOne = (path: "severity" | "message", newer: unknown, older: unknown, olderName: string) => {
      const isMissing = newer === undefined && older === undefined;
      const differs = newer !== undefined && older !== undefined && newer !== older;
      if (!isMissing && !differs) return;
      const expected = isMissing ? `expected ${path}` : `expected ${path} alone, or ${olderName} with the same value`;
      context.addIssue({ code: "custom", path: [path], message: expected });
    };
    expectOne("severity", severity, level, "level");
    expectOne("message", message, text, "text");
  });
export type GivenToolWarning = z.infer<typeof givenToolWarningSchema>;

/**
 * A tool's own warning as it is kept and answered: the shape of every warning, with its older names beside it. An older
 * gateway answers those alone.
 */
const toolWarningSchema = z
  .looseObject({
    code: z.string().default(DEFAULT_CODE),
    severity: warningSeveritySchema.default("info"),
    path: z.string().default(DEFAULT_PATH),
    message: z.string().default(""),
    level: warningSeveritySchema,
    text: z.string(),
  })
  .overwrite((warning) =>
    warning.message === "" ? { ...warning, severity: warning.level, message: warning.text } : warning,
  );
export type ToolWarning = z.infer<typeof toolWarningSchema>;

/** Fills in what an author left out, and what older gateways did not keep. */
export function toToolWarning(given: GivenToolWarning): ToolWarning {
  const severity = given.severity ?? given.level ?? "info";
  const message = given.message ?? given.text ?? "";
  const { code = DEFAULT_CODE, path = DEFAULT_PATH } = given;
  return { code, severity, path, message, level: severity, text: message };
}

/** A REST tool of which all but the name may be missing yet. */
const draftRestToolSchema = z
  .strictObject({ rest: restDefinitionSchema.partial({ description: true, method: true, url: true }) })
  .meta({ id: "DraftRestTool" });
export type DraftRestToolDefinition = z.infer<typeof draftRestToolSchema>;

/** What a workspace tool is made of; a request that is no draft must be complete. */
const workspaceToolDefinitionSchema = z.union([handlerToolSchema, composedToolSchema, draftRestToolSchema]);
export type WorkspaceToolDefinition = HandlerToolDefinition | ComposedToolDefinition | DraftRestToolDefinition;

const slots = z.int().min(1).max(MAX_TOOL_SLOTS);
const access = z.enum(["read", "write", "full"]);
const capabilityKey = resourceNameSchema;
const warnings = z.array(givenToolWarningSchema).max(20);
const oneOfBoth = (fields: { readonly slots?: unknown; readonly access?: unknown }) =>
  fields.slots === undefined || fields.access === undefined;
const ONE_OF_BOTH = { path: ["access"], error: "expected either slots or access" };

/** The body of `POST /v1/tools`. */
export const createWorkspaceToolSchema = z
  .strictObject({
    definition: workspaceToolDefinitionSchema,
    /** Save a REST tool although parts of it are missing or wrong. */
    draft: z.boolean().default(false),
    /** What the tool is good for, in a word that people choose: tools of the same one can stand in for each other. */
    capabilityKey: capabilityKey.nullable().default(null),
    toolkitId: toolkitIdSchema.nullable().default(null),
    /** Of an agent's 25: 1 to 25, default 1. */
    slots: slots.optional(),
    /** Instead of `slots`, of a tool that stands for a database: `read` takes 2, `write` 5, `full` 7. */
    access: access.optional(),
    warnings: warnings.default([]),
  })
  .refine(oneOfBoth, ONE_OF_BOTH)
  .meta({ id: "CreateWorkspaceTool" });
export type CreateWorkspaceTool = z.input<typeof createWorkspaceToolSchema>;

/** The body of `PATCH /v1/tools/:id`; `version`, when given, must be the current one. */
export const updateWorkspaceToolSchema = z
  .strictObject({
    version: z.int().min(1).optional(),
    definition: workspaceToolDefinitionSchema.optional(),
    /** False: no longer a draft, so that it must be complete. True: a draft again. */
    draft: z.boolean().optional(),
    capabilityKey: capabilityKey.nullable().optional(),
    toolkitId: toolkitIdSchema.nullable().optional(),
    slots: slots.optional(),
    access: access.optional(),
    warnings: warnings.optional(),
  })
  .refine(oneOfBoth, ONE_OF_BOTH)
  .meta({ id: "UpdateWorkspaceTool" });
export type UpdateWorkspaceTool = z.input<typeof updateWorkspaceToolSchema>;

/** The body of `POST /v1/tools/:id/validate` and `/finalize`. */
export const advanceWorkspaceToolSchema = z
  .strictObject({ version: z.int().min(1).optional() })
  .meta({ id: "AdvanceWorkspaceTool" });

/** The query of `GET /v1/tools`. */
export const workspaceToolQuerySchema = pageQuerySchema.extend({
  name: toolNameSchema.optional(),
  status: toolStatusSchema.optional(),
  kind: workspaceToolKindSchema.optional(),
  toolkitId: toolkitIdSchema.optional(),
});
export type WorkspaceToolQuery = z.output<typeof workspaceToolQuerySchema>;

/** What came of a tool's last test; {@link workspaceToolTestSchema} has all of the answer. */
export const lastTestSchema = z.looseObject({
  at: timestampSchema,
  ok: z.boolean(),
  /** Null when there was no answer. */
  httpStatus: z.int().nullable(),
  durationMs: z.number().min(0),
  /** The beginning of the answer, or why there was none: at most 2 KiB of JSON. */
  preview: jsonValueSchema,
});
export type LastTest = z.infer<typeof lastTestSchema>;

// What was saved comes back loose: a newer gateway may add fields, which is no reason for an older client to fail.
const savedDefinitionSchema = openKinds(
  z.union([
    z.looseObject(handlerToolSchema.shape),
    z.looseObject(composedToolSchema.shape),
    z.looseObject({ rest: z.looseObject(draftRestToolSchema.shape.rest.shape) }),
  ]),
  ["handler", "implementation", "rest"],
);

const storedToolSchema = z.looseObject({
  id: toolIdSchema,
  /** Counts changes of what it is; its status moves on within a version. */
  version: z.int().min(1),
  /** That of its definition. */
  name: toolNameSchema,
  kind: workspaceToolKindSchema,
  capabilityKey: z.string().nullable(),
  definition: savedDefinitionSchema,
  status: toolStatusSchema,
  toolkitId: toolkitIdSchema.nullable(),
  slots,
  warnings: z.array(toolWarningSchema),
  lastTest: lastTestSchema.nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  /** Of a draft, where it is saved or read by its id: what keeps it from being tested. */
  problems: z.array(fieldErrorSchema).optional(),
  /** In the answers to saving: what is allowed in the definition and probably not meant. */
  remarks: z.array(warningSchema).optional(),
});
/** A tool of the workspace as the gateway keeps it: its enumerations are closed. */
export type StoredWorkspaceTool = z.infer<typeof storedToolSchema>;

/** A tool of the workspace, in one version. */
export const workspaceToolSchema = openResponse(storedToolSchema).meta({ id: "WorkspaceTool" });
export type WorkspaceTool = z.infer<typeof workspaceToolSchema>;

/** The body of `POST /v1/tools/:id/test`. */
export const testWorkspaceToolSchema = z
  .strictObject({
    parameters: jsonObjectSchema.default({}),
    /** Needed for every method but GET: the call is real. */
    confirm: z.boolean().default(false),
  })
  .meta({ id: "TestWorkspaceTool" });
export type TestWorkspaceTool = z.input<typeof testWorkspaceToolSchema>;

/** The last test of a tool, with the answer in full. */
export const workspaceToolTestSchema = z
  .looseObject({
    toolId: toolIdSchema,
    /** The version that was tested. */
    version: z.int().min(1),
    parameters: jsonObjectSchema,
    at: timestampSchema,
    ok: z.boolean(),
    httpStatus: z.int().nullable(),
    durationMs: z.number().min(0),
    /** Null when there was none, or none of use. */
    response: jsonValueSchema,
    error: z
      .looseObject({
        code: z.string(),
        /** As a model would read it. */
        message: z.string(),
        hint: z.string().optional(),
        /** For whoever writes the tool: no model reads it. Secrets are redacted. */
        developerMessage: z.string().optional(),
      })
      .nullable(),
  })
  .meta({ id: "WorkspaceToolTest" });
export type WorkspaceToolTest = z.infer<typeof workspaceToolTestSchema>;

/** The body of `POST /v1/tools/preview`. */
export const previewToolSchema = z
  .strictObject({
    /** Whose tools, credentials and rules count. */
    agentId: agentIdSchema.optional(),
    /** A tool of the agent by its name; without an agent one of the workspace, by name or id; or a definition. */
    tool: z.union([
      z.string().min(1).max(130),
      handlerToolSchema,
      composedToolSchema,
      z.strictObject({ rest: restDefinitionSchema }),
    ]),
    parameters: jsonObjectSchema.default({}),
  })
  .meta({ id: "PreviewTool" });
export type PreviewTool = z.input<typeof previewToolSchema>;

/** Exactly what would be sent; a secret's value is `***NAME***`. */
export const toolPreviewSchema = z
  .looseObject({
    method: z.string(),
    url: z.string(),
    /** Values that are made when the call is sent stand in brackets. */
    headers: z.record(z.string(), z.string()),
    /** A JSON body as JSON, another one as text; null: none. */
    body: jsonValueSchema,
  })
  .meta({ id: "ToolPreview" });
export type ToolPreview = z.infer<typeof toolPreviewSchema>;

import * as z from "zod";
import { type ComposedToolDefinition, composedToolSchema } from "./composed-tool.ts";
import { agentIdSchema, toolIdSchema, toolkitIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openKinds, openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";
import { fieldErrorSchema } from "./problem.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { restDefinitionSchema } from "./rest-tool.ts";
import { type HandlerToolDefinition, handlerToolSchema } from "./tool-definition.ts";
import { toolNameSchema } from "./tool-name.ts";
import {
  authorWarningCodeSchema,
  authorWarningPathSchema,
  type WarningCode,
  warningSchema,
  warningSeveritySchema,
} from "./warning.ts";

/** Number of tool slots of one agent. */
export const MAX_TOOL_SLOTS = 25;
/** Tool slots of a tool that accesses a database, by kind of access. */
export const DATABASE_SLOTS = { read: 2, write: 5, full: 7 } as const;
/** Maximum size of `lastTest.preview`, in bytes of JSON. */
export const MAX_TEST_PREVIEW_BYTES = 2_048;

/**
 * `draft`: parts may be missing. `configured`: complete. `tested`: its latest test succeeded. `validated`: a person has
 * confirmed the response. `created`: agents can use it.
 */
export const toolStatusSchema = z.enum(["draft", "configured", "tested", "validated", "created"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

export const workspaceToolKindSchema = z.enum(["handler", "composed", "rest"]);
export type WorkspaceToolKind = z.infer<typeof workspaceToolKindSchema>;

const DEFAULT_CODE: WarningCode = "AUTHOR_NOTE";
const DEFAULT_PATH = "definition";
const warningText = z.string().min(1).max(1_000);
/**
 * A warning from the author of a tool: `{ severity, message }`, optionally with a `code` and a `path`. The model reads
 * it after the usage notes. `level` and `text` are older names for `severity` and `message`.
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
 * A warning from the author of a tool, as the gateway stores and returns it: with the fields that all warnings have,
 * and also under their older names. Older gateways return only the older names.
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

/** Completes a warning: adds the fields that its author omitted or that older gateways did not store. */
export function toToolWarning(given: GivenToolWarning): ToolWarning {
  const severity = given.severity ?? given.level ?? "info";
  const message = given.message ?? given.text ?? "";
  const { code = DEFAULT_CODE, path = DEFAULT_PATH } = given;
  return { code, severity, path, message, level: severity, text: message };
}

/** A REST tool in which everything except the name may be missing. */
const draftRestToolSchema = z
  .strictObject({ rest: restDefinitionSchema.partial({ description: true, method: true, url: true }) })
  .meta({ id: "DraftRestTool" });
export type DraftRestToolDefinition = z.infer<typeof draftRestToolSchema>;

/** The definition of a workspace tool. A REST tool must be complete unless it is a draft. */
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
    /** Whether to save a REST tool even if parts of it are missing or invalid. */
    draft: z.boolean().default(false),
    /** A short name for the purpose of the tool. Tools with the same key can replace each other. */
    capabilityKey: capabilityKey.nullable().default(null),
    toolkitId: toolkitIdSchema.nullable().default(null),
    /** How many of an agent's 25 tool slots the tool uses: 1 to 25, default 1. */
    slots: slots.optional(),
    /**
     * Sets the number of tool slots for a tool that accesses a database, instead of `slots`: 2 for `read`, 5 for
     * `write`, 7 for `full`.
     */
    access: access.optional(),
    warnings: warnings.default([]),
  })
  .refine(oneOfBoth, ONE_OF_BOTH)
  .meta({ id: "CreateWorkspaceTool" });
export type CreateWorkspaceTool = z.input<typeof createWorkspaceToolSchema>;

/** The body of `PATCH /v1/tools/:id`. If `version` is set, it must be the current version. */
export const updateWorkspaceToolSchema = z
  .strictObject({
    version: z.int().min(1).optional(),
    definition: workspaceToolDefinitionSchema.optional(),
    /** False: the tool is no longer a draft, so it must be complete. True: the tool becomes a draft again. */
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

/** The outcome of a tool's latest test. {@link workspaceToolTestSchema} also contains the complete response. */
export const lastTestSchema = z.looseObject({
  at: timestampSchema,
  ok: z.boolean(),
  /** HTTP status of the response; null if there was none. */
  httpStatus: z.int().nullable(),
  durationMs: z.number().min(0),
  /** The start of the response, or the reason why there was none: at most 2 KiB of JSON. */
  preview: jsonValueSchema,
});
export type LastTest = z.infer<typeof lastTestSchema>;

// Saved definitions are parsed loosely: a newer gateway may add fields, and an older client must still accept them.
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
  /** Version of the definition, from 1. A change of the status alone creates no new version. */
  version: z.int().min(1),
  /** The name in the tool's definition. */
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
  /**
   * What still has to be fixed before a draft can be tested. Only in responses to requests that save the draft or read
   * it by its id.
   */
  problems: z.array(fieldErrorSchema).optional(),
  /**
   * Warnings about settings that are valid but probably not intended. Only in responses to requests that save the tool.
   */
  remarks: z.array(warningSchema).optional(),
});
/** A workspace tool as the gateway stores it, with closed enumerations. */
export type StoredWorkspaceTool = z.infer<typeof storedToolSchema>;

/** One version of a workspace tool. */
export const workspaceToolSchema = openResponse(storedToolSchema).meta({ id: "WorkspaceTool" });
export type WorkspaceTool = z.infer<typeof workspaceToolSchema>;

/** The body of `POST /v1/tools/:id/test`. */
export const testWorkspaceToolSchema = z
  .strictObject({
    parameters: jsonObjectSchema.default({}),
    /** Must be true for every method except GET, because the test sends a real request. */
    confirm: z.boolean().default(false),
  })
  .meta({ id: "TestWorkspaceTool" });
export type TestWorkspaceTool = z.input<typeof testWorkspaceToolSchema>;

/** The latest test of a tool, with the complete response. */
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
    /** The response; null if there was none or if it could not be used. */
    response: jsonValueSchema,
    error: z
      .looseObject({
        code: z.string(),
        /** The message as the model would read it. */
        message: z.string(),
        hint: z.string().optional(),
        /** Details for the author of the tool, which no model reads. Secrets are redacted. */
        developerMessage: z.string().optional(),
      })
      .nullable(),
  })
  .meta({ id: "WorkspaceToolTest" });
export type WorkspaceToolTest = z.infer<typeof workspaceToolTestSchema>;

/** The body of `POST /v1/tools/preview`. */
export const previewToolSchema = z
  .strictObject({
    /** The agent whose tools, credentials and rules apply. */
    agentId: agentIdSchema.optional(),
    /**
     * What to preview: the name of one of the agent's tools; without an agent, the name or id of a workspace tool; or a
     * definition.
     */
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

/** The request exactly as a call would send it. Secrets appear as `***NAME***`. */
export const toolPreviewSchema = z
  .looseObject({
    method: z.string(),
    url: z.string(),
    /** Values that are generated when the call is sent appear in brackets. */
    headers: z.record(z.string(), z.string()),
    /** The body: JSON bodies as JSON values, other bodies as strings; null if there is no body. */
    body: jsonValueSchema,
  })
  .meta({ id: "ToolPreview" });
export type ToolPreview = z.infer<typeof toolPreviewSchema>;

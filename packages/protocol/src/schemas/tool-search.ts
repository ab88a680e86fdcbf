import * as z from "zod";

/** Maximum number of tools that one search can return on request. */
export const MAX_TOOL_SEARCH_LIMIT = 20;

/** When the tools of an agent are deferred, so that its model has to find them. */
export const toolSearchModeSchema = z.enum(["auto", "always", "off"]);

const settings = {
  mode: toolSearchModeSchema,
  maxTools: z.int().min(1).max(128),
  maxTokens: z.int().min(100).max(1_000_000),
  limit: z.int().min(1).max(MAX_TOOL_SEARCH_LIMIT),
  /** Names of tools that are never deferred. `*` stands for any characters. */
  pinned: z.array(z.string().min(1).max(100)).max(100),
};

/** How the tools of an agent are deferred and found. */
export const toolSearchSchema = z
  .strictObject({
    mode: settings.mode.default("auto"),
    maxTools: settings.maxTools.default(40),
    maxTokens: settings.maxTokens.default(8_000),
    limit: settings.limit.default(5),
    pinned: settings.pinned.default([]),
  })
  .meta({ id: "ToolSearch" });

// No defaults here: a change that omits a field would replace the saved value with the default.
export const toolSearchChangeSchema = z.strictObject(settings).partial();

export type ToolSearchSettings = z.infer<typeof toolSearchSchema>;

/** The tools that an execution defers, decided when it starts. */
export const toolDeferralSchema = z.looseObject({
  /** Names of the tools that every model turn carries. */
  shown: z.array(z.string()),
  /** Number of the tools that the model has to find. */
  deferred: z.int().min(1),
  /** Estimated tokens of the definitions of these tools. */
  deferredTokens: z.int().min(0),
});
export type ToolDeferral = z.infer<typeof toolDeferralSchema>;

/** Why deferred tools were loaded: the model found them, or called one of them without having found it. */
export const loadReasonSchema = z.enum(["search", "call"]);

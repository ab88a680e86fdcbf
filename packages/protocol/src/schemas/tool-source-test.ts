import * as z from "zod";
import { openResponse } from "./open-response.ts";
import { skippedToolSchema, sourceToolSchema, toolSourceStatusSchema } from "./tool-source.ts";

/** What a source publishes now, and what a sync would change. */
export const toolSourceTestSchema = openResponse(
  z.looseObject({
    /** The status that a sync would determine. */
    status: toolSourceStatusSchema,
    /** Why the source cannot be read; null if it can. */
    reason: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    /** Time that the gateway needed to read the source, in ms. */
    durationMs: z.int().min(0),
    /**
     * The revision of the protocol: of a handler's manifest, such as `1`, or of MCP, such as `2026-07-28`; the title of
     * an OpenAPI document. Null if it is not known.
     */
    revision: z.string().nullable(),
    /** What generated a handler's JSON Schemas, such as `zod 4.6.7`; null if it is not known. */
    generator: z.string().nullable(),
    /** The tools as they would be after a sync, ordered by name; empty if the source cannot be read. */
    tools: z.array(sourceToolSchema),
    /** The published tools that cannot be used. */
    skippedTools: z.array(skippedToolSchema),
    /** Names, as models read them, of the tools whose published definitions a sync would change. */
    changes: z.looseObject({
      added: z.array(z.string()),
      changed: z.array(z.string()),
      removed: z.array(z.string()),
      /** Added and changed tools that would be off until they are accepted. */
      held: z.array(z.string()),
    }),
  }),
).meta({ id: "ToolSourceTest" });
export type ToolSourceTest = z.infer<typeof toolSourceTestSchema>;

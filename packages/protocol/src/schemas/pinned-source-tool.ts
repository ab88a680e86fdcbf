import * as z from "zod";
import { toolSourceIdSchema } from "./ids.ts";

/** A tool of a source with the definition that an execution uses from its start to its end. */
export const pinnedSourceToolSchema = z.looseObject({
  source: toolSourceIdSchema,
  /** Name that the source publishes and that calls contain. */
  tool: z.string(),
  /** Name that the model reads. */
  name: z.string(),
  /** Hash of the definition. */
  hash: z.string(),
});
export type PinnedSourceTool = z.infer<typeof pinnedSourceToolSchema>;

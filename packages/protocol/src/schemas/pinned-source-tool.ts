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

/** The tools of an agent's sources that an execution did not get, because they waited to be accepted when it started. */
export const heldToolsSchema = z.looseObject({
  count: z.int().min(1),
  /** The names that models read, in the order of the agent's sources: the first 20. */
  names: z.array(z.string()),
});
export type HeldTools = z.infer<typeof heldToolsSchema>;

import * as z from "zod";
import { callOptionFields } from "./call-options.ts";
import { jsonObjectSchema } from "./json.ts";
import { toolNameSchema } from "./names.ts";
import { parametersSchema } from "./parameters.ts";

/** A tool that fills a template: its calls become calls of a primitive, or of another composed tool of the agent. */
export const composedToolSchema = z
  .strictObject({
    name: toolNameSchema,
    description: z.string().min(1).max(4_000),
    parameters: parametersSchema,
    implementation: z.strictObject({
      /**
       * `http_request`, `webhook`, a built-in tool that calculates, or the name of a composed tool of the same agent.
       */
      primitive: z.string().min(1).max(64),
      /** A template: `${parameter}` and `${secrets.KEY}` anywhere in its values; `$${` for a literal `${`. */
      args: jsonObjectSchema,
    }),
    /**
     * Its results count as trusted: reading them makes no write require an approval. They are still framed. Default
     * false.
     */
    trusted: z.boolean().optional(),
    ...callOptionFields,
  })
  .meta({ id: "ComposedTool" });
export type ComposedToolDefinition = z.infer<typeof composedToolSchema>;

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
      /** `http_request`, `webhook`, a built-in that computes, or the name of a composed tool of the same agent. */
      primitive: z.string().min(1).max(64),
      /** `${parameter}` and `${secrets.KEY}` anywhere in its values; `$${` for a plain `${`. */
      args: jsonObjectSchema,
    }),
    /** Its results are as good as the author's own: reading them makes no write ask. They stay framed. Default false. */
    trusted: z.boolean().optional(),
    ...callOptionFields,
  })
  .meta({ id: "ComposedTool" });
export type ComposedToolDefinition = z.infer<typeof composedToolSchema>;

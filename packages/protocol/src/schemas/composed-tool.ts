import * as z from "zod";
import { callOptionFields } from "./call-options.ts";
import { jsonObjectSchema } from "./json.ts";
import { parametersSchema } from "./parameters.ts";
import { toolNameSchema } from "./tool-name.ts";

/**
 * A composed tool: a template that turns a call into a call to a primitive, a built-in tool, or another composed tool
 * of the same agent.
 */
export const composedToolSchema = z
  .strictObject({
    name: toolNameSchema,
    description: z.string().min(1).max(4_000),
    parameters: parametersSchema,
    implementation: z.strictObject({
      /**
       * The target: `http_request`, `webhook`, a built-in tool of the kind `compute`, or the name of a composed tool of
       * the same agent.
       */
      primitive: z.string().min(1).max(64),
      /**
       * Arguments for the target. `${parameter}` and `${secrets.KEY}` can appear anywhere in their values; `$${` stands
       * for a literal `${`.
       */
      args: jsonObjectSchema,
    }),
    /**
     * Whether the results count as trusted: after reading them, the model may write without an additional approval.
     * They are still framed. Default false.
     */
    trusted: z.boolean().optional(),
    ...callOptionFields,
  })
  .meta({ id: "ComposedTool" });
export type ComposedToolDefinition = z.infer<typeof composedToolSchema>;

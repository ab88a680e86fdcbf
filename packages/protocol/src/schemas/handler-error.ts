import * as z from "zod";
import { handlerErrorCodeSchema } from "./handler-error-code.ts";
import { jsonValueSchema } from "./json.ts";

/** The error in a response from a handler. */
export const handlerErrorSchema = z.looseObject({
  code: handlerErrorCodeSchema,
  message: z.string(),
  retryable: z.boolean().optional(),
  hint: z.string().optional(),
  details: jsonValueSchema.optional(),
});
export type HandlerError = z.infer<typeof handlerErrorSchema>;

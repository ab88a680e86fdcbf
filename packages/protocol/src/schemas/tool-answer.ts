import * as z from "zod";
import { handlerErrorCodeSchema } from "./handler-error-code.ts";
import { toolCallIdSchema } from "./ids.ts";
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

export const toolResultAnswerSchema = z.looseObject({ result: jsonValueSchema });
export const toolErrorAnswerSchema = z.looseObject({ error: handlerErrorSchema });

/** The body of `POST /v1/callbacks/:toolCallId`: the outcome of an asynchronous call. */
export const callbackOutcomeSchema = z
  .union([toolResultAnswerSchema, toolErrorAnswerSchema])
  .meta({ id: "CallbackOutcome" });

/** The response to an accepted callback. */
export const callbackReceiptSchema = z.looseObject({ toolCallId: toolCallIdSchema }).meta({ id: "CallbackReceipt" });

export const pendingAnswerSchema = z.looseObject({ pending: z.literal(true) });

import * as z from "zod";
import { handlerErrorSchema } from "./handler-error.ts";
import { toolCallIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";

export const toolResultAnswerSchema = z.looseObject({ result: jsonValueSchema });
export const toolErrorAnswerSchema = z.looseObject({ error: handlerErrorSchema });

/** The body of `POST /v1/callbacks/:toolCallId`: the outcome of an asynchronous call. */
export const callbackOutcomeSchema = z
  .union([toolResultAnswerSchema, toolErrorAnswerSchema])
  .meta({ id: "CallbackOutcome" });

/** The response to an accepted callback. */
export const callbackReceiptSchema = z.looseObject({ toolCallId: toolCallIdSchema }).meta({ id: "CallbackReceipt" });

export const pendingAnswerSchema = z.looseObject({ pending: z.literal(true) });

import * as z from "zod";
import { attemptDetailSchema } from "./attempt.ts";
import { jsonValueSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

const MAX_URL_LENGTH = 2_048;

/** The body of `POST /v1/tool-calls/:id/redeliver`. */
export const redeliverSchema = z
  .strictObject({
    /** Required for every call whose tool does not declare `sideEffect: "read_only"`: it may write again. */
    confirm: z.literal(true).optional(),
    /**
     * Sends the call to this URL instead of the tool's handler. Only in development workspaces. The body contains
     * `redelivery: true`, and is signed with the workspace's signing secret `redelivery`.
     */
    url: z
      .url({ protocol: /^https?$/, error: "expected an http or https URL" })
      .max(MAX_URL_LENGTH)
      .optional(),
  })
  .meta({ id: "Redeliver" });
export type Redeliver = z.infer<typeof redeliverSchema>;

/** The response of `POST /v1/tool-calls/:id/redeliver`. */
export const redeliverySchema = openResponse(
  z.looseObject({
    /** The attempt with its request and its response. `kind` is `redelivery`. */
    attempt: attemptDetailSchema,
    status: z.enum(["completed", "failed", "pending"]),
    /** The result of the handler, if the status is `completed`. No model reads it. */
    result: jsonValueSchema.optional(),
    /** Why the status is `failed`. */
    error: z.looseObject({ code: z.string(), message: z.string(), source: z.enum(["gateway", "handler"]) }).optional(),
    /** What a person should know about the response. */
    notice: z.string().optional(),
  }),
).meta({ id: "Redelivery" });
export type Redelivery = z.infer<typeof redeliverySchema>;

import * as z from "zod";

/** One invalid field of a request. `path` has dots and indexes in brackets, such as `tools[0].handler`. */
export const fieldErrorSchema = z.looseObject({ path: z.string(), code: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** Every error response of the API: `application/problem+json` (RFC 9457). */
export const problemSchema = z
  .looseObject({
    /** `urn:yagate:error:<CODE>`. */
    type: z.string(),
    /** The page about the code, if the gateway knows its documentation (`YAGATE_DOCS_URL`). */
    docs: z.string().optional(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    hint: z.string().optional(),
    /** For invalid input: all invalid fields. */
    errors: z.array(fieldErrorSchema).optional(),
    /** For `QUOTA_EXCEEDED`: the name of the quota, its limit, and its use. */
    quota: z.string().optional(),
    limit: z.int().optional(),
    used: z.int().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;

import * as z from "zod";

/** An invalid field of a request. `path` uses dots for members and brackets for indexes, as in `tools[0].handler`. */
export const fieldErrorSchema = z.looseObject({ path: z.string(), code: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The body of every error response of the API: `application/problem+json` (RFC 9457). */
export const problemSchema = z
  .looseObject({
    /** `urn:yagate:error:<CODE>`. */
    type: z.string(),
    /** URL of the documentation page for the code, if the operator has set `YAGATE_DOCS_URL`. */
    docs: z.string().optional(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    hint: z.string().optional(),
    /** All invalid fields, if the input is invalid. */
    errors: z.array(fieldErrorSchema).optional(),
    /** For `QUOTA_EXCEEDED`: the name of the quota, with its limit and current usage. */
    quota: z.string().optional(),
    limit: z.int().optional(),
    used: z.int().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;

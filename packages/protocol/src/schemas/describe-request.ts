import * as z from "zod";
import { describeRequestIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/**
 * The body of a describe request, with which the gateway asks a handler for its manifest. Unknown fields are accepted,
 * because a newer gateway may add fields.
 */
export const describeRequestSchema = z.looseObject({
  type: z.literal("describe"),
  requestId: describeRequestIdSchema,
  /** When the request was signed. */
  timestamp: timestampSchema,
  /** The handler's URL as it is saved in the tool source. */
  audience: z.string().min(1),
});

/** The body of a describe request, parsed. */
export type DescribeRequest = z.infer<typeof describeRequestSchema>;

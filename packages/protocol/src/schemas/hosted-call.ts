import * as z from "zod";
import { jsonValueSchema } from "./json.ts";

/** A call to a tool that the model provider ran itself, such as its web search. */
export const hostedCallSchema = z
  .looseObject({
    /** The provider's id for the call. */
    id: z.string(),
    /** The name that the agent uses for the tool, or the provider's name if the agent lists no such tool. */
    name: z.string(),
    /** The model's input, such as the query; cut off if it is long. */
    input: jsonValueSchema,
    /** `pending`: the provider returns the result in a later model turn. */
    status: z.enum(["completed", "failed", "pending"]),
    /** The result, cut off if it is long. */
    output: jsonValueSchema.optional(),
    /** Whether `input` or `output` was cut off. */
    isTruncated: z.boolean().optional(),
  })
  .meta({ id: "HostedCall" });
export type HostedCall = z.infer<typeof hostedCallSchema>;

/** A source of a reply, as the provider reported it. */
export const sourceSchema = z
  .looseObject({
    /** The URL of a page; absent for documents that have no URL. */
    url: z.string().optional(),
    title: z.string().optional(),
  })
  .meta({ id: "Source" });
export type Source = z.infer<typeof sourceSchema>;

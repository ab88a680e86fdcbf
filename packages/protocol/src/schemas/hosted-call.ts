import * as z from "zod";
import { jsonValueSchema } from "./json.ts";

/** A call of a tool that the model's provider ran on its own side, such as its web search. Nothing of it runs here. */
export const hostedCallSchema = z
  .looseObject({
    /** The provider's id of the call. */
    id: z.string(),
    /** The agent's name of the tool, or the provider's where the agent lists no such tool. */
    name: z.string(),
    /** What the model asked for, such as the query; cut where it is long. */
    input: jsonValueSchema,
    /** `pending`: the provider gives its result in a later turn. */
    status: z.enum(["completed", "failed", "pending"]),
    /** What came back, cut where it is long. */
    output: jsonValueSchema.optional(),
    /** Something was cut off `input` or `output`. */
    isTruncated: z.boolean().optional(),
  })
  .meta({ id: "HostedCall" });
export type HostedCall = z.infer<typeof hostedCallSchema>;

/** Something that an answer is drawn from, as the provider names it. */
export const sourceSchema = z
  .looseObject({
    /** Of a page; absent for documents that have no address. */
    url: z.string().optional(),
    title: z.string().optional(),
  })
  .meta({ id: "Source" });
export type Source = z.infer<typeof sourceSchema>;

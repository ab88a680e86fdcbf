import type { AssistantPart } from "@yagate/models/port";
import { jsonObjectSchema, jsonValueSchema } from "@yagate/protocol";
import * as z from "zod";

const metadata = { providerMetadata: jsonObjectSchema.optional() };

const partSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), ...metadata }),
  z.object({ type: z.literal("reasoning"), text: z.string(), ...metadata }),
  z.object({
    type: z.literal("tool_call"),
    toolCallId: z.string(),
    providerCallId: z.string(),
    name: z.string(),
    parameters: jsonValueSchema,
    ...metadata,
  }),
  z.object({
    type: z.literal("hosted_call"),
    providerCallId: z.string(),
    name: z.string(),
    input: jsonValueSchema,
    ...metadata,
  }),
  z.object({
    type: z.literal("hosted_result"),
    providerCallId: z.string(),
    name: z.string(),
    output: jsonValueSchema,
    isError: z.boolean(),
    ...metadata,
  }),
]);

/** An assistant message as the journal kept it. @throws ZodError when the row is not what this gateway wrote. */
export function parseAssistantMessage(stored: unknown): readonly AssistantPart[] {
  return z
    .array(partSchema)
    .parse(stored)
    .map(({ providerMetadata, ...part }) => (providerMetadata === undefined ? part : { ...part, providerMetadata }));
}

import * as z from "zod";
import { byteLengthOf, findDeepFault } from "../json-bounds.ts";
import {
  MANIFEST_VERSION,
  MAX_MANIFEST_DESCRIPTION_BYTES,
  MAX_MANIFEST_SCHEMA_BYTES,
  MAX_MANIFEST_SCHEMA_DEPTH,
  MAX_MANIFEST_TOOLS,
} from "../manifest-limits.ts";
import { declaredOptionFields } from "./declared-options.ts";
import { parametersSchema } from "./parameters.ts";
import { toolNameSchema } from "./tool-name.ts";

const descriptionSchema = z
  .string()
  .min(1)
  .refine(
    (text) => byteLengthOf(text) <= MAX_MANIFEST_DESCRIPTION_BYTES,
    `expected at most ${MAX_MANIFEST_DESCRIPTION_BYTES} bytes of UTF-8`,
  );

const manifestParametersSchema = parametersSchema.superRefine((schema, context) => {
  const fault = findParametersFault(schema);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

function findParametersFault(schema: unknown): string | undefined {
  // Before the size, because serialising a deep value overflows the stack.
  const fault = findDeepFault(schema, MAX_MANIFEST_SCHEMA_DEPTH);
  if (fault !== undefined) return fault;
  if (byteLengthOf(JSON.stringify(schema)) <= MAX_MANIFEST_SCHEMA_BYTES) return undefined;
  return `expected at most ${MAX_MANIFEST_SCHEMA_BYTES} bytes of JSON`;
}

/**
 * A tool as its handler describes it. Unknown fields are dropped, so that a manifest cannot set a URL, a header, a
 * signing secret or an approval mode.
 */
export const manifestToolSchema = z.object({
  name: toolNameSchema,
  /** What the tool does and when to use it: at most 4 KiB of UTF-8. */
  description: descriptionSchema,
  /** The JSON Schema of the arguments: at most 64 KiB and 32 levels. */
  parameters: manifestParametersSchema,
  ...declaredOptionFields,
});

/** A tool as its handler describes it. */
export type ManifestTool = z.infer<typeof manifestToolSchema>;

/** A handler's response to a describe request. Unknown fields are dropped. */
export const toolManifestSchema = z.object({
  /** The version of the manifest's format: 1. */
  protocolVersion: z.literal(MANIFEST_VERSION),
  /** The program that wrote the manifest, with its version, such as `@yagate/handler 0.1.0`. */
  kitVersion: z.string().min(1).max(100).optional(),
  /** What generated the JSON Schemas, with its version, such as `zod 4.6.7`. Absent if they were written by hand. */
  schemaGenerator: z.string().min(1).max(100).optional(),
  /** The handler's tools, 1 to 2,000, with unique names. */
  tools: z
    .array(manifestToolSchema)
    .min(1)
    .max(MAX_MANIFEST_TOOLS)
    .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, "expected unique names"),
});

/** The tools of a handler, as it describes them. */
export type ToolManifest = z.infer<typeof toolManifestSchema>;

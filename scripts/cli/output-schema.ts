import { z } from "zod";
import { OUTPUT_DOCUMENTS } from "./output-documents.ts";

type Json = Record<string, unknown>;

/** `packages/cli/schemas/output.json`: a definition for each document, and for the parts that several of them share. */
export function outputSchemaText(): string {
  const definitions: Record<string, unknown> = {};
  for (const [name, [description, schema]] of Object.entries(OUTPUT_DOCUMENTS)) {
    const { $schema: _dialect, $defs = {}, id: _id, ...own } = toJsonSchema(schema);
    for (const [shared, definition] of Object.entries($defs as Json))
      definitions[`Api${shared}`] ??= renamed(definition);
    definitions[name] = { description, ...renamed(own) };
  }
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:yagate:cli:output",
    title: "What yagate prints with --json",
    description:
      "A definition for each document. yagate help --json names the one of each command. Fields are only ever added, and values of enumerations too.",
  };
  const lines = Object.entries(definitions)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, definition]) => `  ${JSON.stringify(name)}: ${JSON.stringify(definition)}`);
  // One definition per line, so that a changed definition changes one line.
  const head = JSON.stringify(document, null, 2).slice(0, -2);
  return `${head},\n  "$defs": {\n${lines.join(",\n")}\n  }\n}\n`;
}

/** A document may have the same name as a schema of the API. */
function renamed(definition: unknown): Json {
  return JSON.parse(JSON.stringify(definition).replaceAll('"#/$defs/', '"#/$defs/Api'));
}

function toJsonSchema(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {
    io: "output",
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => {
      // Zod's names for what the adjacent pattern already states.
      if (jsonSchema.pattern !== undefined) delete jsonSchema.format;
      delete jsonSchema.id;
    },
  });
}

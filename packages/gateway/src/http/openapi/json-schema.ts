import { canonicalJson } from "@yagate/protocol";
import * as z from "zod";

export type Json = Record<string, unknown>;

/** The named schemas of the document. */
export type Components = Record<string, Json>;

/** Converts a Zod schema to JSON Schema and moves every named part to the components. */
export function toSchema(schema: z.ZodType, io: "input" | "output", components: Components): Json {
  const {
    $schema: _dialect,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => dropForeignFormat(jsonSchema),
  });
  for (const [name, definition] of Object.entries($defs ?? {})) addComponent(components, name, definition);
  const { id } = own;
  if (typeof id !== "string") return rewrite(own);
  addComponent(components, id, own);
  return toComponent(id);
}

/**
 * Adds a named schema to the components.
 * @throws Error if a different schema has the same name.
 */
export function addComponent(components: Components, name: string, definition: unknown): void {
  const { id: _id, ...component } = rewrite(definition);
  const known = components[name];
  if (known !== undefined && canonicalJson(known) !== canonicalJson(component)) {
    throw new Error(`expected one schema named ${name}, found two that differ`);
  }
  components[name] = component;
}

export function toComponent(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function rewrite(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Formats that only Zod defines. The `pattern` next to each of them expresses the same constraint. */
const FOREIGN_FORMATS: ReadonlySet<unknown> = new Set([
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
]);

function dropForeignFormat(schema: z.core.JSONSchema.BaseSchema): void {
  if (FOREIGN_FORMATS.has(schema.format) && schema.pattern !== undefined) delete schema.format;
}

import { canonicalJson } from "@yagate/protocol";
import * as z from "zod";

export type Json = Record<string, unknown>;

/** The schemas of the document that have a name. */
export type Components = Record<string, Json>;

/** The schema, with everything that has a name moved to the components. */
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

/** @throws Error when two schemas share a name: one of them would be documented as the other. */
export function addComponent(components: Components, name: string, definition: unknown): void {
  const { id: _id, ...component } = rewrite(definition);
  const known = components[name];
  if (known !== undefined && canonicalJson(known) !== canonicalJson(component)) {
    throw new Error(`expected one schema of the name ${name}, and there are two`);
  }
  components[name] = component;
}

export function toComponent(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function rewrite(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Zod's names for what a pattern beside them says; no other tool knows them. */
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

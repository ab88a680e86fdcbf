import * as z from "zod";

/** A property somewhere in a schema of the API document. */
export interface PropertyPlace {
  /** As `Execution.output.text`. */
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its value is made of further properties, which have texts of their own. */
  readonly isHolder?: boolean;
}

const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.looseObject({})).catch({}).default({}),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
});

/** Every property of a schema, those of references aside: these have places of their own. */
export function propertiesOf(schema: unknown, path: string): readonly PropertyPlace[] {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success) return [];
  const { properties, anyOf, oneOf, items, additionalProperties } = parsed.data;
  const own = Object.entries(properties).flatMap(([name, property]) => [
    { path: `${path}.${name}`, schema: property, isHolder: isHolder(property) },
    ...propertiesOf(property, `${path}.${name}`),
  ]);
  const parts = [...anyOf, ...oneOf].flatMap((member) => propertiesOf(member, path));
  return [...own, ...parts, ...propertiesOf(items, `${path}[]`), ...propertiesOf(additionalProperties, `${path}{}`)];
}

function isHolder(schema: unknown): boolean {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success) return false;
  const { $ref, properties, anyOf, oneOf, items, additionalProperties } = parsed.data;
  if ($ref !== undefined || Object.keys(properties).length > 0) return true;
  return [...anyOf, ...oneOf, items, additionalProperties].some(isHolder);
}

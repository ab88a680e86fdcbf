import { isJsonObject } from "@yagate/lib/json/json-object";
import { createAgentSchema, createToolSourceSchema } from "@yagate/protocol";
import * as z from "zod";
import { commandSchema } from "../stdio-servers/stdio-server.ts";

const namedSchema = z.looseObject({ name: z.string().min(1) });

/** An agent or a tool source of a configuration file. Only its name has been checked. */
export type ConfigEntry = z.output<typeof namedSchema>;

const entriesSchema = z
  .array(namedSchema)
  .refine(
    (items) => new Set(items.map(({ name }) => name)).size === items.length,
    "expected a different name for each entry",
  )
  .default([]);

/**
 * A configuration file. Its entries are checked when they are applied, so that an invalid entry does not affect the
 * others.
 */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  dataDir: z.string().min(1).optional(),
  demo: z.boolean().optional(),
  sources: entriesSchema,
  agents: entriesSchema,
});

/** The names of all fields of a configuration, at any depth. */
export function configFields(): ReadonlySet<string> {
  const names = new Set<string>(["file"]);
  const collect = (schema: unknown): void => {
    if (Array.isArray(schema)) for (const item of schema) collect(item);
    else if (isJsonObject(schema)) {
      const { properties } = schema;
      if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
      for (const member of Object.values(schema)) collect(member);
    }
  };
  for (const schema of [configSchema, createAgentSchema, createToolSourceSchema, commandSchema]) {
    collect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  }
  return names;
}

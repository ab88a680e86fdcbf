import { isDeepStrictEqual } from "node:util";
import { normaliseSchema } from "@yagate/lib/json-schema/normalise-schema";
import { defined } from "@yagate/lib/objects/defined";
import { normalDefinition } from "./compile-tool.ts";
import type { CompiledTool, ToolDefinitionVersion } from "./port.ts";

/**
 * Names the fields in which two definitions of a tool differ, such as `description`, `parameters` and `url`, in
 * alphabetical order. Differences that mean nothing do not count.
 */
export function changedFields(before: ToolDefinitionVersion, after: ToolDefinitionVersion): readonly string[] {
  const [left, right] = [fieldsOf(before.compiled), fieldsOf(after.compiled)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((field) => !isDeepStrictEqual(left.get(field), right.get(field)))
    .toSorted();
}

/** Returns the fields under the names that people know from the settings of sources. */
function fieldsOf({ toolName, definition, outputSchema, security }: CompiledTool): ReadonlyMap<string, unknown> {
  const { handler, mcp, rest, ...others }: FlatDefinition = normalDefinition(definition);
  const fields = {
    ...others,
    ...rest,
    ...defined({ url: handler }),
    ...mcp,
    ...(outputSchema === undefined ? {} : { outputSchema: normaliseSchema(outputSchema) }),
    ...security,
    name: toolName,
  };
  return new Map(Object.entries(fields));
}

/** A definition of any kind of source. */
interface FlatDefinition {
  readonly handler?: string;
  readonly mcp?: object;
  readonly rest?: object;
}

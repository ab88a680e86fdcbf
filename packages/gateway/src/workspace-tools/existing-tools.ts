import { isJsonObject } from "@yagate/lib/json/json-object";
import { canonicalJson, type FieldError, type StoredWorkspaceTool, YagateError } from "@yagate/protocol";
import type { ToolStore } from "@yagate/store/port";
import { InvalidRequestError } from "../errors/request-errors.ts";

/**
 * Adds to a conflict of names how the existing tools differ from those that were to be created: a field error for each,
 * with the code `SAME_DEFINITION` or `OTHER_DEFINITION`.
 *
 * @param cause - the error of the attempt to create the tools.
 */
export async function withExistingTools(
  cause: unknown,
  { workspaceId, wanted, store }: ExistingToolsOptions,
): Promise<unknown> {
  if (!YagateError.is(cause) || cause.code !== "CONFLICT") return cause;
  const fields: FieldError[] = [];
  for (const tool of wanted) {
    const existing = await store.findByName(workspaceId, tool.name);
    if (existing !== undefined) fields.push(differenceOf(existing.tool, tool));
  }
  return fields.length === 0 ? cause : new InvalidRequestError(fields, "CONFLICT", `${cause.message}; see errors`);
}

interface ExistingToolsOptions {
  readonly workspaceId: string;
  readonly wanted: readonly StoredWorkspaceTool[];
  readonly store: Pick<ToolStore, "findByName">;
}

function differenceOf(existing: StoredWorkspaceTool, wanted: StoredWorkspaceTool): FieldError {
  const [before, after] = [fieldsOf(existing), fieldsOf(wanted)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const path = `tools.${wanted.name}`;
  if (names.length === 0)
    return { path, code: "SAME_DEFINITION", message: `${existing.id} has this name and definition` };
  const message = `${existing.id} has this name, with another definition: ${names.join(", ")}`;
  return { path, code: "OTHER_DEFINITION", message };
}

/** Returns the fields of a definition in a form that can be compared. */
function fieldsOf({ definition }: StoredWorkspaceTool): ReadonlyMap<string, string> {
  const fields = "rest" in definition && isJsonObject(definition.rest) ? definition.rest : definition;
  return new Map(Object.entries(fields).map(([name, value]) => [name, canonicalJson(value ?? null)]));
}

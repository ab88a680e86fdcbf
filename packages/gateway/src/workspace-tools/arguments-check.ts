import type { JsonObject } from "@yagate/protocol";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { fieldPath } from "@yagate/tool-definitions/field-path";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { Tool, Toolset } from "../tools/port.ts";

/**
 * Checks the arguments of a call against everything that the tool requires.
 * @throws InvalidRequestError with every argument that the tool would reject, under `parameters`.
 */
export function assertArguments(
  validator: ArgumentValidator,
  { tool, toolset }: { readonly tool: Tool; readonly toolset: Toolset },
  parameters: JsonObject,
): void {
  assertSchema(validator, tool, parameters);
  const refusal = toolset.refusalOf({ name: tool.name, parameters });
  if (refusal?.code !== "INVALID_ARGUMENTS") return;
  const field = { path: "parameters", code: refusal.code, message: refusal.message };
  throw new InvalidRequestError([field], "INVALID_ARGUMENTS");
}

/**
 * Checks the arguments of a call against the tool's schema.
 * @throws InvalidRequestError with every argument that does not match the schema, under `parameters`.
 */
export function assertSchema(validator: ArgumentValidator, tool: Tool, parameters: JsonObject): void {
  const accepted = tool.accepted ?? tool;
  const check = validator.validate(accepted.schemaHash, accepted.parameters, parameters);
  if (check.valid) return;
  throw new InvalidRequestError(
    check.errors.map((error) => ({ ...error, path: fieldPath("parameters", parameters, error.path) })),
    "INVALID_ARGUMENTS",
  );
}

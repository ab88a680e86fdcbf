import type { JsonObject } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { checkParametersSchema } from "../arguments/check-parameters-schema.ts";
import { fieldPath } from "../field-path.ts";

/**
 * Checks the schema of a tool's parameters.
 * @param path - the path of the tool, such as `tools[0]`.
 */
export function checkParameters(parameters: JsonObject, path: string): readonly AgentFinding[] {
  return checkParametersSchema(parameters).map((issue) => ({
    severity: "error",
    path: fieldPath(`${path}.parameters`, parameters, issue.path),
    code: issue.code,
    message: issue.message,
  }));
}

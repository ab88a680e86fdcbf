import { type RestDefinition, YagateError } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { compileRestTool } from "./compile-rest-tool.ts";
import { isFixed } from "./rest-parameters.ts";

/**
 * Checks that a request can be made of the fixed values: what the model can't change would go wrong in every call.
 *
 * @param definition - one without errors so far.
 * @param path - where the definition stands, as `tools[0].rest`.
 */
export function checkFixedRequest(definition: RestDefinition, path: string): readonly AgentFinding[] {
  const parameters = definition.parameters.flatMap((parameter) => {
    if (isFixed(parameter)) return [parameter];
    return parameter.in === "path" ? [{ ...parameter, value: "x" }] : [];
  });
  try {
    compileRestTool({ ...definition, parameters }).render({}, () => "");
    return [];
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    const message = `expected fixed values that a request can be made of: ${error.message}`;
    return [{ severity: "error", path: `${path}.parameters`, code: "VALUE_NOT_WRITABLE", message }];
  }
}

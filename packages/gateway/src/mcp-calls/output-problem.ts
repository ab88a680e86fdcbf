import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { McpServices } from "./port.ts";

/**
 * Creates the check of structured results. It runs in worker threads, like that of the tool `json_validator`, because a
 * server's schema can be written to take forever.
 */
export function createOutputProblem(
  validator: Pick<BuiltinTool, "execute">,
  now: () => number,
): McpServices["outputProblem"] {
  return async (schema, value, { workspaceId, signal }) => {
    const context = { now, signal, workspaceId, deadline: Infinity, executionId: "", toolCallId: "" };
    const outcome = await validator.execute({ json: JSON.stringify(value), schema }, context);
    if ("error" in outcome) return `the structured result could not be checked: ${outcome.error.message}`;
    const { result } = outcome;
    if (isJsonObject(result) && result["valid"] === true) return undefined;
    return "the structured result does not match the tool's output schema";
  };
}

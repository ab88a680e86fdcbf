import { gatewayFailure } from "@yagate/calls/failure";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { McpCallResult } from "@yagate/mcp/client/port";
import type { JsonValue } from "@yagate/protocol";
import { toolFailure } from "./mcp-failure.ts";
import { resultOf } from "./mcp-result.ts";
import type { McpServices, McpTool } from "./port.ts";

/** The result or error of a tool, without the credential, and the text that the record of the attempt contains. */
export interface ReadResult {
  readonly answer: { readonly result: JsonValue } | { readonly failure: Failure };
  readonly response: string;
}

const OUTPUT_HINT = "the call itself ran; do not repeat it, and tell the user that its result could not be used";

/**
 * Creates the function that removes the credential from the results of a tool, classifies them, and checks them against
 * the tool's output schema.
 */
export function createReadResult(
  { outputSchema }: Pick<McpTool, "outputSchema">,
  { outputProblem }: Pick<McpServices, "outputProblem">,
) {
  return async (
    result: Omit<McpCallResult, "verdict">,
    redaction: Redaction,
    context: { readonly workspaceId: string; readonly signal: AbortSignal },
  ): Promise<ReadResult> => {
    const value = redaction.json(resultOf(result));
    const response = JSON.stringify(value);
    if (result.isError) return { answer: { failure: toolFailure(value) }, response };
    if (!result.isStructured || outputSchema === undefined) return { answer: { result: value }, response };
    const problem = await outputProblem(outputSchema, redaction.json(result.value), context);
    if (problem === undefined) return { answer: { result: value }, response };
    const failure = gatewayFailure("INVALID_RESPONSE", problem, { outcome: "none", hint: OUTPUT_HINT });
    return { answer: { failure }, response };
  };
}

import { gatewayFailure } from "@yagate/calls/failure";
import type { Failure, RequiredInput } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { McpRequiredInput } from "@yagate/mcp/client/port";
import { inputQuestionSchema, jsonValueSchema } from "@yagate/protocol";

/** What a call requires, without the credential, and the text that the record of the attempt contains. */
export interface ReadRequirement {
  readonly answer: { readonly inputRequired: RequiredInput } | { readonly failure: Failure };
  readonly response: string;
}

/**
 * Removes the credential from the questions of a server. The state must go back unchanged, so a state that contains the
 * credential is refused.
 */
export function readRequirement({ questions, requestState }: McpRequiredInput, redaction: Redaction): ReadRequirement {
  const shown = questions.map((question) => inputQuestionSchema.parse(redaction.json(jsonValueSchema.parse(question))));
  const response = JSON.stringify({ inputRequests: shown });
  if (requestState !== undefined && redaction.json(requestState) !== requestState) {
    const failure = gatewayFailure("INPUT_REFUSED", "the MCP server put the credential of the source into its state", {
      outcome: "none",
    });
    return { answer: { failure }, response };
  }
  const state = requestState === undefined ? {} : { requestState };
  return { answer: { inputRequired: { questions: shown, ...state } }, response };
}
